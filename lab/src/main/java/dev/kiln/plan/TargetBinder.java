package dev.kiln.plan;

import dev.kiln.model.experiment.Hook.HookMoment;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Target.AotCache;
import dev.kiln.model.experiment.Where;
import dev.kiln.plan.Command.Whose;
import dev.kiln.plan.TargetDraft.JvmDraft;
import dev.kiln.plan.TargetDraft.ProgramDraft;
import dev.kiln.plan.load.Defaults;
import dev.kiln.plan.text.CommandPaths;
import dev.kiln.plan.text.DurationText;
import dev.kiln.plan.text.Fields;
import dev.kiln.plan.text.JdkBinder;
import dev.kiln.plan.text.Names;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A TargetBinder reads the keys that {@code target:} and each variant share. */
record TargetBinder(Path base, Problems problems) {
    private static final String CONTAINER = "container";
    private static final String HOST = "host";
    private static final String ATTACH = "attach";
    private static final String VIA = "via";
    private static final String REPLICAS = "replicas";

    /** Returns whose files a map's target uses; empty where the map does not say where its target runs. */
    static Optional<Whose> files(Mapping map) {
        List<KeyedNode> said = map.entries().stream()
                .filter(entry -> List.of(CONTAINER, HOST, VIA).contains(entry.key()))
                .toList();
        return said.isEmpty()
                ? Optional.empty()
                : Optional.of(said.stream()
                        .filter(entry -> !ContainerBinder.isNone(entry.value()))
                        .map(entry -> entry.key().equals(CONTAINER) ? Whose.CONTAINER : Whose.HOST)
                        .findFirst()
                        .orElse(Whose.HERE));
    }

    /** Reads what a map says of its target; only files of this machine can be checked. */
    TargetDraft bind(Fields fields, Whose files) {
        if (fields.has("command") && fields.has("workload")) {
            problems.add(fields.at("workload"), "found command and workload, expected one of them");
        }
        Optional<Command> command = fields.words("command").flatMap(words -> command(fields, words, files));
        Optional<String> workload = fields.parsed("workload", "the name of a folder in workloads/", Names::check);
        return new TargetDraft(
                new ProgramDraft(
                        command.orElse(Command.NONE),
                        workload,
                        fields.bool("virtualThreads"),
                        fields.parsed("directory", "a path", text -> directory(text, files))),
                new JvmDraft(
                        fields.node("jdk").flatMap(node -> new JdkBinder(base, problems).bind(node)),
                        fields.words("jvmFlags").orElse(List.of()),
                        fields.node("aot").flatMap(node -> AotBinder.bind(node, base, problems))),
                environment(fields),
                fields.words("arguments").orElse(List.of()),
                fields.node("readiness").flatMap(node -> ReadinessBinder.bind(node, Defaults.READY_TIMEOUT, problems)),
                fields.node("with").map(new ModifierBinder(problems)::bind).orElse(List.of()),
                where(fields),
                new HookBinder(base, problems).bind(fields, HookMoment.OF_TARGET));
    }

    private Optional<Where> where(Fields fields) {
        List<String> said =
                Stream.of(HOST, CONTAINER, VIA, ATTACH).filter(fields::has).toList();
        if (said.size() > 1 && !said.equals(List.of(VIA, ATTACH))) {
            problems.add(
                    fields.at(said.getLast()),
                    "found " + String.join(" and ", said) + ", expected one of them, or via with attach");
        }
        if (fields.has(REPLICAS) && !fields.has(ATTACH)) {
            problems.add(
                    fields.at(REPLICAS),
                    "found replicas without attach, expected attach: kube:NAMESPACE/deployment/NAME");
        }
        long replicas = fields.integer(REPLICAS, 1, AttachRules.MOST_REPLICAS).orElse(1L);
        Optional<Where.HostPlace> via = fields.words(VIA)
                .flatMap(words -> problems.attempt(fields.at(VIA), VIA, () -> HostRules.through(words)));
        return fields.parsed(HOST, HostRules.EXPECTED, HostRules::host)
                .or(() -> fields.scalar(
                                ATTACH,
                                AttachRules.EXPECTED,
                                EnumSet.of(ScalarKind.TEXT, ScalarKind.INTEGER),
                                AttachRules::parse)
                        .flatMap(point -> problems.attempt(
                                fields.at(ATTACH),
                                ATTACH,
                                () -> HostRules.running(AttachRules.several(point, (int) replicas), via))))
                .or(() -> via)
                .or(() -> fields.node(CONTAINER).flatMap(node -> new ContainerBinder(base, problems).bind(node)));
    }

    private Path directory(String text, Whose files) {
        return switch (files) {
            case HERE -> CommandPaths.directory(text, base);
            case CONTAINER -> ContainerBinder.inside(text);
            case HOST -> CommandPaths.path(text);
        };
    }

    /** Reads a command. Its files are searched when its directory is known, which a variant may have of its own. */
    private Optional<Command> command(Fields fields, List<String> words, Whose files) {
        Spot at = fields.node("command").map(Node::at).orElse(fields.at());
        return problems.attempt(at, "command", () -> new Command(CommandPaths.given(words), files, Optional.of(at)));
    }

    private Map<String, String> environment(Fields fields) {
        Map<String, String> environment = fields.map("environment");
        for (String name : environment.keySet()) {
            if (name.isEmpty() || name.contains("=")) {
                problems.add(
                        fields.at("environment"),
                        "environment",
                        BadValue.of("'" + name + "'", "a variable's name").text());
            }
        }
        return environment;
    }

    /** An AotBinder reads {@code aot:}, how the cache is trained, or the file that it is. */
    private static final class AotBinder {
        private static final String EXPECTED =
                "a map such as {train: startup}, {train: traffic, for: 20s}, {file: app.aot} or {of: VARIANT}";
        private static final List<String> KINDS = List.of("train", "file", "of");
        private static final String STARTUP = "startup";
        private static final String TRAFFIC = "traffic";

        /** The default lets the compilers find the hot methods. The published study does not say for how long. */
        private static final Duration FOR = Duration.ofSeconds(20);

        private AotBinder() {}

        static Optional<AotCache> bind(Node node, Path base, Problems problems) {
            return Fields.of(node, Section.AOT, EXPECTED, problems).flatMap(fields -> bind(fields, base, problems));
        }

        private static Optional<AotCache> bind(Fields fields, Path base, Problems problems) {
            List<String> named = KINDS.stream().filter(fields::has).toList();
            if (named.size() != 1) {
                String found = named.isEmpty() ? "nothing that says which" : String.join(" and ", named);
                problems.add(fields.at(), "aot", "found " + found + ", expected one of " + String.join(", ", KINDS));
                return Optional.empty();
            }
            if (!fields.has("train")) {
                refuse(fields, "for", named.getFirst(), TRAFFIC, problems);
                refuse(fields, "flags", named.getFirst(), STARTUP, problems);
                return fields.has("file")
                        ? fields.parsed("file", "a path", text -> new AotCache.GivenCache(file(text, base)))
                        : fields.parsed("of", "the name of a variant", AotCache.OfVariant::new);
            }
            Optional<String> train = fields.parsed("train", "startup or traffic", AotBinder::train);
            Duration time = fields.parsed("for", DurationText.EXPECTED, DurationText::parse)
                    .orElse(FOR);
            List<String> flags = fields.words("flags").orElse(List.of());
            if (train.filter(STARTUP::equals).isPresent()) {
                refuse(fields, "for", "'train: startup'", TRAFFIC, problems);
            } else {
                refuse(fields, "flags", "'train: traffic'", STARTUP, problems);
            }
            return train.map(how -> how.equals(STARTUP) ? new AotCache.Startup(flags) : new AotCache.Traffic(time));
        }

        private static void refuse(Fields fields, String key, String beside, String training, Problems problems) {
            if (fields.has(key)) {
                problems.add(
                        fields.at(key),
                        "aot",
                        "found " + key + " beside " + beside + ", expected it with 'train: " + training + "'");
            }
        }

        private static String train(String text) {
            if (!text.equals(STARTUP) && !text.equals(TRAFFIC)) {
                throw new BadValue(Nearest.complaint("training", text, List.of(STARTUP, TRAFFIC)));
            }
            return text;
        }

        private static Path file(String text, Path base) {
            Path file = CommandPaths.existing(text, base, "no such file");
            if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
                throw BadValue.of(file + ", which cannot be read", "an AOT cache");
            }
            return file;
        }
    }

    /** A ModifierBinder reads {@code with:}, a modifier or a list of them, each a name or a name with its value. */
    private record ModifierBinder(Problems problems) {
        private static final String EXPECTED = "modifiers such as [xbatch, cpus: 1]";

        List<Modifier> bind(Node with) {
            List<Modifier> modifiers = List.of();
            for (Node item : with.items()) {
                modifiers = Modifiers.joined(modifiers, one(item));
            }
            return modifiers;
        }

        private List<Modifier> one(Node item) {
            if (item instanceof Scalar scalar && scalar.is(ScalarKind.TEXT)) {
                return problems.attempt(scalar.at(), "with", () -> Modifiers.parse(scalar.text())).stream()
                        .toList();
            }
            if (item instanceof Mapping map && !map.entries().isEmpty()) {
                return Fields.of(item, Modifiers.SECTION, EXPECTED, problems).stream()
                        .flatMap(fields -> map.entries().stream())
                        .filter(entry -> Modifiers.NAMES.contains(entry.key()))
                        .flatMap(entry -> valued(entry).stream())
                        .toList();
            }
            problems.expected(item, "with", EXPECTED);
            return List.of();
        }

        private Optional<Modifier> valued(KeyedNode entry) {
            if (entry.value() instanceof Scalar scalar) {
                Optional<String> value =
                        scalar.kind() == ScalarKind.NOTHING ? Optional.empty() : Optional.of(scalar.text());
                return problems.attempt(scalar.at(), entry.key(), () -> Modifiers.parse(entry.key(), value));
            }
            if (entry.key().equals(Modifier.BoostedStart.NAME)) {
                return Fields.of(entry.value(), Section.BOOST, Modifiers.BOOST, problems)
                        .flatMap(fields -> boost(entry, fields));
            }
            problems.expected(entry.value(), entry.key(), "a value");
            return Optional.empty();
        }

        private Optional<Modifier> boost(KeyedNode entry, Fields fields) {
            Optional<Double> from = fields.positive("from");
            Optional<Double> to = fields.positive("to");
            Optional<Optional<Duration>> time = fields.parsed("for", Modifiers.BOOST_TIME, Modifiers::boostTime);
            Section.BOOST.keys().forEach(key -> fields.require(key, entry.key(), Modifiers.BOOST));
            return from.isPresent() && to.isPresent() && time.isPresent()
                    ? problems.attempt(
                            fields.at(), entry.key(), () -> Modifiers.boost(from.get(), to.get(), time.get()))
                    : Optional.empty();
        }
    }
}
