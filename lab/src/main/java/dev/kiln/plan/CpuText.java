package dev.kiln.plan;

import dev.kiln.model.CpuRequest;
import dev.kiln.text.Nearest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** CPU lists in the kernel's form, {@code 0-3,8}, and who gets which: {@code target=0-3,load=4,5}. */
final class CpuText {
    static final String EXPECTED = "CPU numbers such as 0-3 or 0,2,4";

    private static final Pattern RANGE = Pattern.compile("\\s*(\\d{1,4})\\s*(?:-\\s*(\\d{1,4}))?\\s*");

    private CpuText() {}

    static List<Integer> list(String text) {
        TreeSet<Integer> cpus = new TreeSet<>();
        for (String part : text.split(",", -1)) {
            Matcher range = RANGE.matcher(part);
            if (!range.matches()) {
                throw BadValue.of("'" + text + "'", EXPECTED);
            }
            int first = Integer.parseInt(range.group(1));
            int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
            if (last < first) {
                throw BadValue.of("'" + text + "'", EXPECTED);
            }
            for (int cpu = first; cpu <= last; cpu++) {
                cpus.add(cpu);
            }
        }
        return List.copyOf(cpus);
    }

    /** {@code auto}, or parts with their CPUs. */
    static CpuRequest request(String text) {
        if (text.strip().equals("auto")) {
            return CpuRequest.auto();
        }
        Map<String, List<Integer>> parts = new HashMap<>();
        // A comma separates parts only where a name follows; the others belong to a list.
        for (String part : text.split(",(?=\\s*[a-zA-Z])", -1)) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? part.strip() : part.substring(0, equals).strip();
            if (equals < 0) {
                throw BadValue.of("'" + text + "'", "auto, or target=0-3,load=4,5,database=6");
            }
            if (!Section.CPUS.keys().contains(name)) {
                throw new BadValue(Nearest.complaint("part", name, Section.CPUS.keys()));
            }
            parts.put(name, list(part.substring(equals + 1)));
        }
        return new CpuRequest(cpus(parts, "target"), cpus(parts, "load"), cpus(parts, "database"));
    }

    private static List<Integer> cpus(Map<String, List<Integer>> parts, String name) {
        return parts.getOrDefault(name, List.of());
    }

    /** {@code [0, 1, 2, 4]} as {@code 0-2,4}. */
    static String show(List<Integer> cpus) {
        List<String> ranges = new ArrayList<>();
        List<Integer> sorted = cpus.stream().sorted().toList();
        for (int i = 0; i < sorted.size(); i++) {
            int first = sorted.get(i);
            while (i + 1 < sorted.size() && sorted.get(i + 1) == sorted.get(i) + 1) {
                i++;
            }
            ranges.add(first == sorted.get(i) ? "" + first : first + "-" + sorted.get(i));
        }
        return String.join(",", ranges);
    }
}
