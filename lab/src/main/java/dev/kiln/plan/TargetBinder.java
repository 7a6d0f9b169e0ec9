package dev.kiln.plan;

import dev.kiln.model.Where;
import dev.kiln.plan.Node.Entry;
import dev.kiln.plan.Node.Mapping;
import dev.kiln.plan.Node.Place;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The keys that {@code target:} and each variant share. */
final class TargetBinder {
    private static final String CONTAINER = "container";
    private static final String HOST = "host";

    private final Path base;
    private final Problems problems;

    TargetBinder(Path base, Problems problems) {
        this.base = base;
        this.problems = problems;
    }

    /** Whose files a target's command and directory are looked up among. */
    enum Whose {
        HERE,
        CONTAINER,
        HOST
    }

    /** Empty where a map does not say where its target runs. */
    static Optional<Whose> files(Mapping map) {
        List<Entry> said = map.entries().stream()
                .filter(entry -> entry.key().equals(CONTAINER) || entry.key().equals(HOST))
                .toList();
        return said.isEmpty()
                ? Optional.empty()
                : Optional.of(said.stream()
                        .filter(entry -> !ContainerBinder.isNone(entry.value()))
                        .map(entry -> entry.key().equals(HOST) ? Whose.HOST : Whose.CONTAINER)
                        .findFirst()
                        .orElse(Whose.HERE));
    }

    /** @param files whose they are: another's than this machine's cannot be looked for */
    TargetDraft bind(Fields fields, Whose files) {
        if (fields.has("command") && fields.has("workload")) {
            problems.add(fields.at("workload"), "found command and workload, expected one of them");
        }
        Optional<List<String>> command = fields.words("command").flatMap(words -> resolved(fields, words, files));
        Optional<String> workload = fields.parsed("workload", "the name of a folder in workloads/", Names::check);
        return new TargetDraft(
                command.orElse(List.of()),
                workload,
                fields.bool("virtualThreads"),
                environment(fields),
                fields.parsed("directory", "a path", text -> directory(text, files)),
                fields.node("jdk").flatMap(node -> new JdkBinder(base, problems).bind(node)),
                fields.words("jvmFlags").orElse(List.of()),
                fields.words("arguments").orElse(List.of()),
                fields.node("readiness").flatMap(node -> ReadinessBinder.bind(node, problems)),
                fields.node("with").map(new ModifierBinder(problems)::bind).orElse(List.of()),
                fields.node("aot").flatMap(node -> AotBinder.bind(node, base, problems)),
                where(fields));
    }

    private Optional<Where> where(Fields fields) {
        if (fields.has(HOST) && fields.has(CONTAINER)) {
            problems.add(fields.at(CONTAINER), "found host and container, expected one of them");
        }
        return fields.parsed(HOST, HostRules.EXPECTED, HostRules::host)
                .or(() -> fields.node(CONTAINER).flatMap(node -> new ContainerBinder(base, problems).bind(node)));
    }

    private Path directory(String text, Whose files) {
        return switch (files) {
            case HERE -> CommandPaths.directory(text, base);
            case CONTAINER -> ContainerBinder.inside(text);
            case HOST -> CommandPaths.path(text);
        };
    }

    private Optional<List<String>> resolved(Fields fields, List<String> words, Whose files) {
        Place at = fields.node("command").map(Node::at).orElse(fields.at());
        return problems.attempt(
                at,
                "command",
                () -> files == Whose.HERE ? CommandPaths.resolve(words, base) : CommandPaths.given(words));
    }

    private Map<String, String> environment(Fields fields) {
        Map<String, String> environment = fields.map("environment");
        for (String name : environment.keySet()) {
            if (name.isEmpty() || name.contains("=")) {
                problems.add(
                        fields.at("environment"),
                        "environment: "
                                + BadValue.of("'" + name + "'", "a variable's name")
                                        .text());
            }
        }
        return environment;
    }
}
