package dev.kiln.host.proc;

import dev.kiln.host.proc.Topology.CpuLists;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Disturbances are interrupts on a process's CPUs, counted from now, and memory on another NUMA node. */
public final class Disturbances {
    /** A busy network card comes to some thousands a second; less costs under 1 % of a CPU. */
    private static final double MANY_INTERRUPTS_A_SECOND = 1_000;

    private static final double MUCH_OF_THE_MEMORY = 0.1;

    private final ProcFs fs;
    private final long begunNanos = System.nanoTime();
    private final Map<String, Map<Integer, Long>> before;

    public Disturbances(ProcFs fs) {
        this.fs = fs;
        before = interrupts();
    }

    /** Says of a living process which interrupts are on its CPUs, and what memory is far from them. */
    public List<String> notes(long pid) {
        double seconds = (System.nanoTime() - begunNanos) / 1e9;
        Set<Integer> cpus = fs.text("proc/" + pid + "/status")
                .map(status -> Set.copyOf(CpuLists.parse(ProcStatus.field(status, "Cpus_allowed_list"))))
                .orElse(Set.of());
        List<String> notes = new ArrayList<>();
        interruptsOf(cpus, seconds).ifPresent(notes::add);
        farMemory(pid, cpus).ifPresent(notes::add);
        return notes;
    }

    private Optional<String> interruptsOf(Set<Integer> cpus, double seconds) {
        Map<String, Long> counts = new HashMap<>();
        interrupts().forEach((device, now) -> {
            Map<Integer, Long> then = before.getOrDefault(device, Map.of());
            cpus.forEach(
                    cpu -> counts.merge(device, now.getOrDefault(cpu, 0L) - then.getOrDefault(cpu, 0L), Long::sum));
        });
        long all = counts.values().stream().mapToLong(n -> n).sum();
        if (all < MANY_INTERRUPTS_A_SECOND * seconds) {
            return Optional.empty();
        }
        Map.Entry<String, Long> most =
                counts.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
        return Optional.of(String.format(
                Locale.ROOT,
                "devices interrupted the target's CPUs %.0f times a second (%s: %.0f %% of it)",
                all / seconds,
                most.getKey(),
                100.0 * most.getValue() / all));
    }

    /** Returns devices' interrupts since boot, by device and CPU; the kernel's own have no numbers. */
    private Map<String, Map<Integer, Long>> interrupts() {
        return parse(fs.text("proc/interrupts").orElse(""));
    }

    static Map<String, Map<Integer, Long>> parse(String text) {
        List<String> lines = text.lines().map(String::strip).toList();
        if (lines.isEmpty()) {
            return Map.of();
        }
        String[] columns = lines.getFirst().split("\\s+", -1);
        Map<String, Map<Integer, Long>> found = new HashMap<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] words = line.split("\\s+", -1);
            if (words.length <= columns.length + 1 || !words[0].matches("\\d+:")) {
                continue;
            }
            Map<Integer, Long> counts = found.computeIfAbsent(words[words.length - 1], name -> new HashMap<>());
            for (int i = 0; i < columns.length; i++) {
                if (columns[i].matches("CPU\\d{1,6}") && words[i + 1].matches("\\d{1,18}")) {
                    counts.merge(Integer.parseInt(columns[i].substring(3)), Long.parseLong(words[i + 1]), Long::sum);
                }
            }
        }
        return found;
    }

    /** {@code numa_maps} counts pages by node; pages differ in size. */
    private Optional<String> farMemory(long pid, Set<Integer> cpus) {
        List<Integer> nodes =
                fs.text("sys/devices/system/node/online").map(CpuLists::parse).orElse(List.of());
        if (nodes.size() < 2 || cpus.isEmpty()) {
            return Optional.empty();
        }
        Set<Integer> near = new HashSet<>();
        for (int node : nodes) {
            fs.text("sys/devices/system/node/node" + node + "/cpulist")
                    .map(CpuLists::parse)
                    .filter(of -> of.stream().anyMatch(cpus::contains))
                    .ifPresent(of -> near.add(node));
        }
        double all = 0;
        double far = 0;
        for (String line : fs.text("proc/" + pid + "/numa_maps").orElse("").split("\n", -1)) {
            double kilobytes = number(line, "kernelpagesize_kB=");
            for (int node : nodes) {
                double size = number(line, " N" + node + "=") * kilobytes;
                all += size;
                far += near.contains(node) ? 0 : size;
            }
        }
        return far < MUCH_OF_THE_MEMORY * all || all == 0
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%.0f %% of the target's memory lies on NUMA nodes on which it has no CPU: each access takes longer",
                        100 * far / all));
    }

    private static double number(String line, String name) {
        int at = line.indexOf(name);
        if (at < 0) {
            return 0;
        }
        int from = at + name.length();
        int to = from;
        while (to < line.length() && to - from < 15 && Character.isDigit(line.charAt(to))) {
            to++;
        }
        return to == from ? 0 : Long.parseLong(line.substring(from, to));
    }
}
