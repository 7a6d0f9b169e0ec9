package dev.kiln.plan.load;

import dev.kiln.model.experiment.LoadTemplate.EngineSettings;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.plan.text.CommandPaths;
import dev.kiln.plan.text.Fields;
import dev.kiln.plan.text.JdkBinder;
import dev.kiln.plan.text.Node;
import dev.kiln.plan.text.Node.Scalar;
import dev.kiln.plan.text.Node.ScalarKind;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Problems.BadValue;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** GatlingOptions reads {@code gatling:}, a simulation and where its classes and those of Gatling are. */
record GatlingOptions(Path base, Problems problems) {
    static final List<String> KEYS = List.of("simulation", "classpath", "jdk", "jvmFlags");
    static final String MAP = "a map with simulation and classpath";
    static final String EXAMPLE = "{simulation: com.acme.FruitsSimulation, classpath: [target/test-classes]}";

    private static final String CLASS_PATH = "a list of folders, jars, and patterns of jars with *";
    private static final Pattern CLASS = Pattern.compile(
            "(\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*\\.)*\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*");
    private static final Pattern GLOB = Pattern.compile("[*?\\[{]");

    static Optional<EngineSettings> bind(Fields fields, Path base, Problems problems) {
        return new GatlingOptions(base, problems).bind(fields);
    }

    private Optional<EngineSettings> bind(Fields fields) {
        List.of("simulation", "classpath").forEach(key -> fields.require(key, "gatling", MAP));
        List<Path> classPath = fields.node("classpath").map(this::classPath).orElse(List.of());
        List<String> flags = fields.words("jvmFlags").orElse(List.of());
        if (flags.stream().anyMatch(flag -> !Placeholders.namesIn(flag).isEmpty())) {
            problems.add(
                    fields.at("jvmFlags"),
                    "jvmFlags",
                    "found a placeholder, expected none: the simulation gets kiln.url and kiln.port");
        }
        return fields.parsed("simulation", "the name of a class", GatlingOptions::className)
                .map(name -> new EngineSettings.GatlingTemplate(
                        name,
                        classPath,
                        fields.node("jdk").flatMap(jdk -> new JdkBinder(base, problems).bind(jdk)),
                        flags));
    }

    private static String className(String text) {
        if (!CLASS.matcher(text).matches()) {
            throw BadValue.of("'" + text + "'", "the name of a class such as com.acme.FruitsSimulation");
        }
        return text;
    }

    private List<Path> classPath(Node node) {
        if (node.items().isEmpty()) {
            problems.expected(node, "classpath", CLASS_PATH);
        }
        return node.items().stream().flatMap(this::entries).toList();
    }

    private Stream<Path> entries(Node item) {
        if (!(item instanceof Scalar scalar) || scalar.kind() == ScalarKind.NOTHING) {
            problems.expected(item, "classpath", CLASS_PATH);
            return Stream.empty();
        }
        return problems.attempt(item.at(), "classpath", () -> entries(scalar.text())).stream()
                .flatMap(List::stream);
    }

    private List<Path> entries(String text) {
        int slash = text.lastIndexOf('/');
        String name = text.substring(slash + 1);
        return GLOB.matcher(name).find()
                ? jars(slash < 0 ? base : CommandPaths.directory(text.substring(0, slash + 1), base), name)
                : List.of(CommandPaths.existing(text, base, "no such file or folder"));
    }

    /** Returns the jars in the order of their names: which of two comes first must not depend on the disk. */
    private static List<Path> jars(Path folder, String glob) {
        List<Path> jars = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, glob)) {
            for (Path path : found) {
                if (path.toString().endsWith(".jar")) {
                    jars.add(path);
                }
            }
        } catch (IOException e) {
            throw new BadValue("cannot list " + folder + ": " + e.getMessage());
        }
        if (jars.isEmpty()) {
            throw new BadValue("no jar in " + folder + " is called " + glob);
        }
        Collections.sort(jars);
        return jars;
    }
}
