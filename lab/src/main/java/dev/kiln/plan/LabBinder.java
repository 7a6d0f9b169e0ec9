package dev.kiln.plan;

import dev.kiln.model.CpuRequest;
import dev.kiln.model.DatabaseSpec;
import dev.kiln.plan.Node.Kind;
import dev.kiln.plan.Node.Scalar;
import dev.kiln.plan.Node.Sequence;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What the lab around the target is asked for: {@code cpus:} and {@code database:}. */
final class LabBinder {
    private static final String CPUS = "auto, or a map of target, load, database to CPUs";
    private static final String DATABASE = "postgres, or a map with a script, or with url, user and password";

    private final Path base;
    private final Problems problems;

    LabBinder(Path base, Problems problems) {
        this.base = base;
        this.problems = problems;
    }

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
                .map(node -> node instanceof Sequence list
                        ? list.items().stream()
                                .flatMap(item -> cpuList(part, item).stream())
                                .toList()
                        : cpuList(part, node))
                .orElse(List.of());
    }

    private List<Integer> cpuList(String part, Node node) {
        if (node instanceof Scalar cpus && (cpus.kind() == Kind.INTEGER || cpus.kind() == Kind.TEXT)) {
            return problems.attempt(cpus.at(), part, () -> CpuText.list(cpus.text()))
                    .orElse(List.of());
        }
        problems.add(
                node.at(),
                part + ": " + BadValue.of(node.found(), CpuText.EXPECTED).text());
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
                problems.add(fields.at(key), "database: found script and " + key + ", expected one or the other");
            }
        }
        return new DatabaseSpec.Managed(fields.parsed("script", "a path", text -> CommandPaths.script(text, base)));
    }

    private DatabaseSpec external(Fields fields) {
        if (!fields.has("url")) {
            problems.add(fields.at(), "database: found a map without script or url, expected " + DATABASE);
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
}
