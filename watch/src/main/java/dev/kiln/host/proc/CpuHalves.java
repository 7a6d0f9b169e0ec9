package dev.kiln.host.proc;

import dev.kiln.host.proc.Topology.Cpu;
import dev.kiln.model.KilnException;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * CpuHalves are two halves of a machine, for two targets at once: as many CPUs each, in whole cores, on nodes of their own
 * where there are two. A machine of one core is halved within that core, whose SMT siblings slow each other.
 */
public final class CpuHalves {
    private CpuHalves() {}

    /** Returns the two halves; throws where there are none that are alike. */
    public static List<Topology> of(Topology topology) {
        List<Cpu> cpus = topology.cpus().stream()
                .sorted(Comparator.comparingInt(Cpu::node)
                        .thenComparingInt(Cpu::core)
                        .thenComparingInt(Cpu::id))
                .toList();
        int half = cpus.size() / 2;
        List<Cpu> first = cpus.subList(0, half);
        List<Cpu> second = cpus.subList(half, cpus.size());
        if (half == 0 || cpus.size() % 2 != 0 || !alike(first, second)) {
            throw KilnException.machine(
                    "duet: two targets at once need two halves that are alike, and this process may use "
                            + (cpus.size() == 1
                                    ? "one CPU"
                                    : cpus.size() + " CPUs of " + threads(cpus).size() + " cores"),
                    "leave --duet and 'duet: true' out, or start Kiln on an even number of whole cores: taskset -c 0-3"
                            + " kiln run ...");
        }
        return List.of(new Topology(first), new Topology(second));
    }

    /** Returns what the two halves share, in words; none where that is no core. */
    public static List<String> shared(Topology topology) {
        return topology.cpus().size() > 1
                        && topology.cpus().stream().map(Cpu::core).distinct().count() == 1
                ? List.of("both halves are of one core: its SMT siblings slow each other")
                : List.of();
    }

    /** Tells whether two halves have as many cores of each kind, and share no core or node but the only one. */
    private static boolean alike(List<Cpu> first, List<Cpu> second) {
        List<Integer> cores = second.stream().map(Cpu::core).toList();
        boolean apart = first.stream().map(Cpu::core).noneMatch(cores::contains);
        List<Cpu> all = Stream.concat(first.stream(), second.stream()).toList();
        boolean oneCore = all.stream().map(Cpu::core).distinct().count() == 1;
        boolean nodes = nodes(all) == 1 || nodes(first) + nodes(second) == nodes(all);
        return oneCore || (apart && nodes && threads(first).equals(threads(second)));
    }

    private static long nodes(List<Cpu> cpus) {
        return cpus.stream().map(Cpu::node).distinct().count();
    }

    /** Returns how many CPUs each core has, in order. */
    private static List<Long> threads(List<Cpu> cpus) {
        return cpus.stream()
                .collect(Collectors.groupingBy(Cpu::core, TreeMap::new, Collectors.counting()))
                .values()
                .stream()
                .sorted()
                .toList();
    }
}
