package dev.kiln.host;

import dev.kiln.host.Topology.Cpu;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Says in words what the parts of the lab share: a reader of figures must know. */
final class CpuNotes {
    private CpuNotes() {}

    /** @param target empty where it runs elsewhere, as {@code database} where there is none */
    static List<String> of(List<Integer> target, List<Integer> load, List<Integer> database, Topology topology) {
        if (topology.cpus().size() == 1) {
            String parts = (target.isEmpty() ? "" : "target, ") + "load" + (database.isEmpty() ? "" : ", database");
            return parts.equals("load")
                    ? List.of()
                    : List.of("one CPU only: " + parts.replaceFirst(", (\\w+)$", " and $1")
                            + " share it, and take it from each other");
        }
        Map<String, List<Integer>> parts = new LinkedHashMap<>();
        parts.put("target", target);
        parts.put("load", load);
        parts.put("database", database);
        List<String> notes = new ArrayList<>();
        List<String> names = List.copyOf(parts.keySet());
        for (int i = 0; i < names.size(); i++) {
            for (int j = i + 1; j < names.size(); j++) {
                String pair = names.get(i) + " and " + names.get(j);
                List<Integer> one = parts.getOrDefault(names.get(i), List.of());
                List<Integer> other = parts.getOrDefault(names.get(j), List.of());
                notes.addAll(shared(pair, one, other, topology));
            }
        }
        List<Integer> nodes = topology.cpus().stream()
                .filter(cpu -> target.contains(cpu.id()))
                .map(Cpu::node)
                .distinct()
                .sorted()
                .toList();
        if (nodes.size() > 1) {
            notes.add("target spans NUMA nodes "
                    + nodes.stream().map(Object::toString).collect(Collectors.joining(", ")));
        }
        return notes;
    }

    private static List<String> shared(String pair, List<Integer> one, List<Integer> other, Topology topology) {
        List<Integer> cpus = one.stream().filter(other::contains).toList();
        if (!cpus.isEmpty()) {
            return List.of(pair + " share CPU " + CpuLists.format(cpus));
        }
        List<Integer> core = cores(one, topology);
        core.retainAll(cores(other, topology));
        return core.isEmpty()
                ? List.of()
                : List.of(pair + " share a core: CPUs " + CpuLists.format(siblings(core, topology))
                        + " are SMT siblings and slow each other");
    }

    private static List<Integer> cores(List<Integer> cpus, Topology topology) {
        return topology.cpus().stream()
                .filter(cpu -> cpus.contains(cpu.id()))
                .map(Cpu::core)
                .distinct()
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static List<Integer> siblings(List<Integer> cores, Topology topology) {
        return topology.cpus().stream()
                .filter(cpu -> cores.contains(cpu.core()))
                .map(Cpu::id)
                .toList();
    }
}
