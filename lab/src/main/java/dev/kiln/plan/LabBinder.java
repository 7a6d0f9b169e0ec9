package dev.kiln.plan;

import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.experiment.Experiment.DatabaseSpec;
import dev.kiln.plan.text.CommandPaths;
import dev.kiln.plan.text.Fields;
import dev.kiln.plan.text.Node;
import dev.kiln.plan.text.Node.KeyedNode;
import dev.kiln.plan.text.Node.Mapping;
import dev.kiln.plan.text.Node.Scalar;
import dev.kiln.plan.text.Node.ScalarKind;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.plan.text.Section;
import dev.kiln.plan.text.Spot;
import dev.kiln.text.Nearest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A LabBinder reads {@code cpus:} and {@code database:}, the experiment's wishes for the lab around the target. */
record LabBinder(Path base, Problems problems) {
    private static final String CPUS = "auto, or a map of target, load, database to CPUs";
    private static final String DATABASE = "postgres, or a map with a script, or with url, user and password";

    CpuRequest cpus(Node node) {
        if (node instanceof Scalar scalar && scalar.text().equals("auto")) {
            return CpuRequest.auto();
        }
        return Fields.of(node, Section.CPUS, CPUS, problems)
                .map(fields -> new CpuRequest(cpus(fields, "target"), cpus(fields, "load"), cpus(fields, "database")))
                .orElseGet(CpuRequest::auto);
    }

    private List<Integer> cpus(Fields fields, String part) {
        return fields.node(part)
                .map(node -> node.items().stream()
                        .flatMap(item -> cpuList(part, item).stream())
                        .toList())
                .orElse(List.of());
    }

    private List<Integer> cpuList(String part, Node node) {
        if (node instanceof Scalar cpus && cpus.is(ScalarKind.INTEGER, ScalarKind.TEXT)) {
            return problems.attempt(cpus.at(), part, () -> CpuText.list(cpus.text()))
                    .orElse(List.of());
        }
        problems.expected(node, part, CpuText.EXPECTED);
        return List.of();
    }

    DatabaseSpec database(Node node) {
        if (node instanceof Scalar scalar && scalar.text().equals("postgres")) {
            return new DatabaseSpec.Managed(Optional.empty());
        }
        return Fields.of(node, Section.DATABASE, DATABASE, problems)
                .map(fields -> fields.has("script") ? managed(fields) : external(fields))
                .orElseGet(DatabaseSpec.None::new);
    }

    private DatabaseSpec managed(Fields fields) {
        for (String key : List.of("url", "user", "password")) {
            if (fields.has(key)) {
                problems.add(fields.at(key), "database", "found script and " + key + ", expected one or the other");
            }
        }
        return new DatabaseSpec.Managed(
                fields.parsed("script", "a path", text -> CommandPaths.readable(text, base, "an SQL script")));
    }

    private DatabaseSpec external(Fields fields) {
        if (!fields.has("url")) {
            problems.add(fields.at(), "database", "found a map without script or url, expected " + DATABASE);
        }
        return new DatabaseSpec.External(
                fields.parsed("url", "a JDBC URL", LabBinder::jdbcUrl).orElse(""),
                fields.parsed("user", "text", text -> text).orElse(""),
                fields.parsed("password", "text", text -> text).orElse(""));
    }

    private static String jdbcUrl(String text) {
        if (!text.startsWith("jdbc:")) {
            throw BadValue.of("'" + text + "'", "a JDBC URL such as jdbc:postgresql://localhost:5432/fruits");
        }
        return text;
    }

    /** CpuText reads and writes CPU lists as the kernel does, {@code 0-3,8}, and {@code target=0-3,load=4,5}. */
    static final class CpuText {
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

        /** Returns what a file would have in place of {@code auto}, or of parts with their CPUs. */
        static Node node(String text, Spot at) {
            if (text.strip().equals("auto")) {
                return new Scalar(ScalarKind.ARGUMENT, "auto", at);
            }
            Map<String, KeyedNode> parts = new LinkedHashMap<>();
            // A comma separates parts only where a name follows; the others belong to a list.
            for (String part : text.split(",(?=\\s*[a-zA-Z])", -1)) {
                int equals = part.indexOf('=');
                if (equals < 0) {
                    throw BadValue.of("'" + text + "'", "auto, or target=0-3,load=4,5,database=6");
                }
                String name = part.substring(0, equals).strip();
                if (!Section.CPUS.keys().contains(name)) {
                    throw new BadValue(Nearest.complaint("part", name, Section.CPUS.keys()));
                }
                parts.put(
                        name, new KeyedNode(name, at, new Scalar(ScalarKind.ARGUMENT, part.substring(equals + 1), at)));
            }
            return new Mapping(List.copyOf(parts.values()), at);
        }

        /** Writes {@code [0, 1, 2, 4]} as {@code 0-2,4}. */
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
}
