package dev.kiln.plan.text;

import dev.kiln.model.experiment.Target.JdkChoice;
import dev.kiln.plan.text.Node.Mapping;
import dev.kiln.plan.text.Node.Scalar;
import dev.kiln.plan.text.Node.ScalarKind;
import dev.kiln.plan.text.Problems.BadValue;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** A JdkBinder reads {@code jdk:}, which JDK launches the target; paths are relative to {@code base}. */
public record JdkBinder(Path base, Problems problems) {
    private static final Set<ScalarKind> WRITTEN = EnumSet.of(ScalarKind.TEXT, ScalarKind.INTEGER, ScalarKind.DECIMAL);
    private static final List<String> KINDS = List.of("version", "path");

    /** Reads a JDK of one text, or of a map. */
    public Optional<JdkChoice> bind(Node node) {
        if (node instanceof Mapping) {
            return Fields.of(node, Section.JDK, JdkText.EXPECTED, problems).flatMap(this::bind);
        }
        if (node instanceof Scalar scalar && scalar.is(WRITTEN)) {
            return problems.attempt(scalar.at(), "jdk", () -> JdkText.parse(scalar.text(), base));
        }
        problems.expected(node, "jdk", JdkText.EXPECTED);
        return Optional.empty();
    }

    private Optional<JdkChoice> bind(Fields fields) {
        List<String> named = KINDS.stream().filter(fields::has).toList();
        if (named.size() != 1) {
            problems.add(
                    fields.at(),
                    "jdk",
                    "found " + (named.isEmpty() ? "nothing that says which" : String.join(" and ", named))
                            + ", expected one of " + String.join(", ", KINDS));
            return Optional.empty();
        }
        boolean optional = fields.bool("optional").orElse(false);
        if (optional && !fields.has("version")) {
            problems.add(
                    fields.at("optional"),
                    "jdk",
                    "found optional beside " + named.getFirst() + ", expected it with version");
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

    /** JdkText reads a JDK in one text: a version or a home directory. */
    public static final class JdkText {
        static final String EXPECTED =
                "a version such as 21, the home directory of a JDK, or a map with version or path";

        /**
         * The pattern matches a version of java.lang.Runtime.Version, without what follows the numbers, and a plus
         * behind the first number for that version and all later ones.
         */
        private static final Pattern VERSION = Pattern.compile("[1-9]\\d{0,3}(\\+|(\\.\\d{1,4}){0,5})");

        private JdkText() {}

        /** Reads a JDK. A directory that is called like a version is meant when it is written {@code ./21}. */
        public static JdkChoice parse(String text, Path base) {
            if (VERSION.matcher(text).matches()) {
                return new JdkChoice.Version(text, false);
            }
            CommandPaths.existing(text, base, "no such directory or version");
            return new JdkChoice.Home(CommandPaths.jdk(text, base));
        }

        static String version(String text) {
            if (!VERSION.matcher(text).matches()) {
                throw BadValue.of("'" + text + "'", "a version such as 21, 21.0.8 or 21+");
            }
            return text;
        }

        /** Writes a JDK as the plan of an experiment has it. */
        public static String show(JdkChoice jdk) {
            return switch (jdk) {
                case JdkChoice.Home home -> home.text();
                case JdkChoice.Version version ->
                    version.text() + ", found on this machine"
                            + (version.optional() ? "; if there is none, the variant is left out" : "");
            };
        }
    }
}
