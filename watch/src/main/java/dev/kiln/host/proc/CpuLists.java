package dev.kiln.host.proc;

import java.util.ArrayList;
import java.util.List;

/** The kernel's notation for sets of CPUs: {@code 0-3,8,10-11}. */
public final class CpuLists {
    /** Eight times what any kernel numbers. */
    private static final int LIMIT = 65_536;

    private CpuLists() {}

    /** Empty text is the empty set. Parts that are not numbers of CPUs are ignored. */
    public static List<Integer> parse(String text) {
        List<Integer> cpus = new ArrayList<>();
        for (String range : text.strip().split(",", -1)) {
            String[] ends = range.split("-", 2);
            try {
                int first = Integer.parseInt(ends[0].strip());
                int last = ends.length == 1 ? first : Integer.parseInt(ends[1].strip());
                for (int cpu = first; cpu <= last && last < LIMIT; cpu++) {
                    cpus.add(cpu);
                }
            } catch (NumberFormatException e) {
                // No number, no CPU.
            }
        }
        return List.copyOf(cpus);
    }

    public static String format(List<Integer> cpus) {
        List<Integer> sorted = cpus.stream().distinct().sorted().toList();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < sorted.size(); i++) {
            int first = sorted.get(i);
            int last = first;
            while (i + 1 < sorted.size() && sorted.get(i + 1) == last + 1) {
                last = sorted.get(++i);
            }
            text.append(text.isEmpty() ? "" : ",").append(first);
            if (last > first) {
                text.append('-').append(last);
            }
        }
        return text.toString();
    }
}
