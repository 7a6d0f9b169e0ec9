package dev.kiln.plan;

import dev.kiln.model.JdkChoice;
import dev.kiln.plan.Node.Kind;
import dev.kiln.plan.Node.Mapping;
import dev.kiln.plan.Node.Scalar;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code jdk:}, which JDK launches the target. */
final class JdkBinder {
    private static final Set<Kind> WRITTEN = EnumSet.of(Kind.TEXT, Kind.INTEGER, Kind.DECIMAL);
    private static final List<String> KINDS = List.of("version", "path");

    private final Path base;
    private final Problems problems;

    JdkBinder(Path base, Problems problems) {
        this.base = base;
        this.problems = problems;
    }

    Optional<JdkChoice> bind(Node node) {
        if (node instanceof Mapping) {
            return Fields.of(node, Section.JDK, JdkText.EXPECTED, problems).flatMap(this::bind);
        }
        if (node instanceof Scalar scalar && WRITTEN.contains(scalar.kind())) {
            return problems.attempt(scalar.at(), "jdk", () -> JdkText.parse(scalar.text(), base));
        }
        problems.add(
                node.at(), "jdk: " + BadValue.of(node.found(), JdkText.EXPECTED).text());
        return Optional.empty();
    }

    private Optional<JdkChoice> bind(Fields fields) {
        List<String> named = KINDS.stream().filter(fields::has).toList();
        if (named.size() != 1) {
            problems.add(
                    fields.at(),
                    "jdk: found " + (named.isEmpty() ? "nothing that says which" : String.join(" and ", named))
                            + ", expected one of " + String.join(", ", KINDS));
            return Optional.empty();
        }
        boolean optional = fields.bool("optional").orElse(false);
        if (optional && !fields.has("version")) {
            problems.add(
                    fields.at("optional"),
                    "jdk: found optional beside " + named.getFirst() + ", expected it with version");
        }
        return switch (named.getFirst()) {
            case "version" ->
                fields.scalar(
                        "version",
                        "a version such as 21",
                        WRITTEN,
                        text -> new JdkChoice.Version(JdkText.version(text), optional));
            default ->
                fields.parsed(
                        "path",
                        "the home directory of a JDK",
                        text -> new JdkChoice.Home(CommandPaths.jdk(text, base)));
        };
    }
}
