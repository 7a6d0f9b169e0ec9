package dev.kiln.host.proc;

import dev.kiln.host.proc.Topology.Cpu;
import dev.kiln.host.proc.Topology.CpuLists;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.KilnException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The CpuPlanner chooses the CPUs of each part of the lab.
 *
 * <p>The target gets half of the CPUs, but at most four. Warm-up depends on the number of CPUs, because the JVM sizes its
 * compiler threads by it. Four is the size of the published labs and of many containers. Load and database get half of
 * the rest each, but at most four. An odd CPU goes to the database, which needs more CPU time for each request. Every part
 * gets whole cores: the target on one NUMA node, the others on other nodes if there are any. If the target runs on another
 * machine, load and database share all CPUs. A request can ask for other CPUs.
 */
public final class CpuPlanner {
    private static final int MOST = 4;

    private CpuPlanner() {}

    /** Chooses what the request leaves open, and checks what it says. */
    public static CpuAssignment assign(CpuRequest request, Topology topology) {
        if (topology.cpus().isEmpty()) {
            throw KilnException.machine("no CPU found that this process may use", "check /proc/self/status and /sys");
        }
        if (!request.targetElsewhere()) {
            check("target", request.target(), topology);
        }
        check("load", request.load(), topology);
        check("database", request.database(), topology);

        List<Integer> target = target(request, topology);
        List<Cpu> free = without(topology.cpus(), request.load(), request.database());
        List<Cpu> rest = without(free, target);
        if (rest.isEmpty()) {
            // Better beside each other than in the target's way.
            rest = without(topology.cpus(), target);
        }
        if (rest.isEmpty()) {
            rest = topology.cpus();
        }
        boolean both = request.load().isEmpty() && request.database().isEmpty();
        List<List<Integer>> halves =
                both ? halves(rest, node(target, topology)) : List.of(upToMost(cores(rest)), upToMost(cores(rest)));
        List<Integer> load = request.load().isEmpty() ? halves.getFirst() : request.load();
        List<Integer> database = request.database().isEmpty() ? halves.getLast() : request.database();
        return new CpuAssignment(
                sorted(target),
                sorted(load),
                sorted(database),
                true,
                CpuNotes.of(sorted(target), sorted(load), sorted(database), request, topology));
    }

    private static List<Integer> target(CpuRequest request, Topology topology) {
        if (request.targetElsewhere()) {
            return List.of();
        }
        return request.target().isEmpty()
                ? target(without(topology.cpus(), request.load(), request.database()), topology)
                : request.target();
    }

    private static void check(String part, List<Integer> asked, Topology topology) {
        List<Integer> foreign =
                asked.stream().filter(cpu -> !topology.ids().contains(cpu)).toList();
        if (!foreign.isEmpty()) {
            throw KilnException.usage(
                    "CPU " + CpuLists.format(foreign) + ", requested for the " + part
                            + ", does not exist here or is not allowed for this process",
                    "choose among CPUs " + CpuLists.format(topology.ids()) + ", or leave the choice to Kiln");
        }
    }

    private static List<Integer> target(List<Cpu> free, Topology topology) {
        List<Cpu> from = free.isEmpty() ? topology.cpus() : free;
        int wanted = Math.clamp(from.size() / 2, 1, MOST);
        Map<Integer, List<Cpu>> nodes =
                from.stream().collect(Collectors.groupingBy(Cpu::node, TreeMap::new, Collectors.toList()));
        List<Cpu> node = nodes.values().stream()
                .max(Comparator.<List<Cpu>>comparingInt(cpus -> Math.min(cpus.size(), wanted))
                        .thenComparingInt(cpus -> -cpus.getFirst().node()))
                .orElse(from);
        List<Integer> taken = new ArrayList<>();
        for (List<Cpu> core : cores(node)) {
            if (taken.size() + core.size() <= wanted) {
                taken.addAll(ids(core));
            }
        }
        if (!taken.isEmpty()) {
            return taken;
        }
        // Every core has more siblings than wanted. A lone core is split, so that something is left for the others.
        List<Integer> first = ids(cores(node).getFirst());
        return cores(from).size() > 1 ? first : first.subList(0, Math.min(wanted, first.size()));
    }

    /** Returns the CPUs of load and of database. With one CPU, both have the same. */
    private static List<List<Integer>> halves(List<Cpu> rest, int targetNode) {
        List<List<Cpu>> cores = new ArrayList<>(cores(rest));
        cores.sort(Comparator.comparing(core -> core.getFirst().node() == targetNode));
        if (cores.size() == 1) {
            List<Integer> only = ids(cores.getFirst());
            int half = only.size() / 2;
            return half == 0
                    ? List.of(only, only)
                    : List.of(only.subList(0, half), only.subList(half, Math.min(only.size(), half + MOST)));
        }
        int half = cores.size() / 2;
        return List.of(upToMost(cores.subList(0, half)), upToMost(cores.subList(half, cores.size())));
    }

    private static List<Integer> upToMost(List<List<Cpu>> cores) {
        List<Integer> taken = new ArrayList<>();
        for (List<Cpu> core : cores) {
            if (taken.isEmpty() || taken.size() + core.size() <= MOST) {
                taken.addAll(ids(core));
            }
        }
        return taken;
    }

    private static int node(List<Integer> target, Topology topology) {
        return topology.cpus().stream()
                .filter(cpu -> target.contains(cpu.id()))
                .findFirst()
                .map(Cpu::node)
                .orElse(0);
    }

    private static List<List<Cpu>> cores(List<Cpu> cpus) {
        return List.copyOf(cpus.stream()
                .collect(Collectors.groupingBy(Cpu::core, TreeMap::new, Collectors.toList()))
                .values());
    }

    private static List<Integer> ids(List<Cpu> cpus) {
        return cpus.stream().map(Cpu::id).toList();
    }

    @SafeVarargs
    private static List<Cpu> without(List<Cpu> cpus, List<Integer>... taken) {
        Set<Integer> gone = new HashSet<>();
        for (List<Integer> some : taken) {
            gone.addAll(some);
        }
        return cpus.stream().filter(cpu -> !gone.contains(cpu.id())).toList();
    }

    private static List<Integer> sorted(List<Integer> cpus) {
        return cpus.stream().distinct().sorted().toList();
    }

    /** CpuNotes say what the parts of the lab share. A reader of the results must know it. */
    private static final class CpuNotes {
        private CpuNotes() {}

        /** Returns notes on what shares what; target is empty on another machine, request has the database. */
        static List<String> of(
                List<Integer> target,
                List<Integer> load,
                List<Integer> database,
                CpuRequest request,
                Topology topology) {
            String behind = request.behind();
            if (topology.cpus().size() == 1 && !request.loaded()) {
                return target.isEmpty() ? List.of() : List.of("only one CPU: the target shares it with Kiln");
            }
            if (topology.cpus().size() == 1) {
                String parts = (target.isEmpty() ? "" : "target, ") + "load" + (behind.isEmpty() ? "" : ", " + behind);
                return parts.equals("load")
                        ? List.of()
                        : List.of("only one CPU: " + parts.replaceFirst(", (\\w+)$", " and $1")
                                + " share it and slow each other down");
            }
            Map<String, List<Integer>> parts = new LinkedHashMap<>();
            parts.put("target", target);
            parts.put("load", load);
            if (!behind.isEmpty()) {
                parts.put(behind, database);
            }
            List<String> notes = new ArrayList<>();
            List<String> names = List.copyOf(parts.keySet());
            // The target is the first.
            for (int i = 0; i < (request.loaded() ? names.size() : 1); i++) {
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
}
