package dev.kiln.plan;

import dev.kiln.model.experiment.Where;
import dev.kiln.model.experiment.Where.ContainerEngine;
import dev.kiln.model.experiment.Where.Mount;
import dev.kiln.plan.text.CommandPaths;
import dev.kiln.plan.text.Fields;
import dev.kiln.plan.text.Node;
import dev.kiln.plan.text.Node.Scalar;
import dev.kiln.plan.text.Node.ScalarKind;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.plan.text.Section;
import dev.kiln.plan.text.Spot;
import dev.kiln.text.Nearest;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A ContainerBinder reads {@code container:}, the image and mounts that a target runs with. */
record ContainerBinder(Path base, Problems problems) {
    private static final String NONE = "none";
    private static final String EXPECTED = "none, or a map with an image";
    private static final Pattern IMAGE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/:@-]*");

    static boolean isNone(Node node) {
        return node instanceof Scalar scalar && scalar.text().equals(NONE);
    }

    /** Returns a path among the container's files. */
    static Path inside(String text) {
        if (!text.startsWith("/")) {
            throw BadValue.of("'" + text + "'", "a path in the container, beginning with /");
        }
        return CommandPaths.path(text);
    }

    Optional<Where> bind(Node node) {
        return isNone(node)
                ? Optional.of(new Where.Here())
                : Fields.of(node, Section.CONTAINER, EXPECTED, problems).flatMap(this::bind);
    }

    private Optional<Where> bind(Fields fields) {
        if (!fields.has("image")) {
            problems.add(fields.at(), "container", "found no image, expected one");
            return Optional.empty();
        }
        Optional<String> image = fields.parsed("image", "the name of an image", ContainerBinder::image);
        Optional<ContainerEngine> engine = fields.parsed("runtime", "podman or docker", ContainerBinder::engine);
        Optional<Double> cpus = fields.scalar(
                "cpus",
                "a number of CPUs such as 1.5",
                EnumSet.of(ScalarKind.INTEGER, ScalarKind.DECIMAL),
                Modifiers::quota);
        Optional<Long> memory = fields.scalar(
                "memory", Modifiers.MEMORY, EnumSet.of(ScalarKind.TEXT, ScalarKind.INTEGER), Modifiers::bytes);
        return image.map(name -> new Where.ContainerPlace(
                name,
                engine,
                cpus.map(OptionalDouble::of).orElse(OptionalDouble.empty()),
                memory.map(OptionalLong::of).orElse(OptionalLong.empty()),
                mounts(fields)));
    }

    private List<Mount> mounts(Fields fields) {
        Spot at = fields.node("mounts").map(Node::at).orElse(fields.at());
        return fields.words("mounts").orElse(List.of()).stream()
                .flatMap(word -> problems.attempt(at, "mounts", () -> mount(word)).stream())
                .toList();
    }

    /** Reads a mount, {@code FROM} or {@code FROM:TO}. */
    private Mount mount(String word) {
        int colon = word.indexOf(':');
        String from = colon < 0 ? word : word.substring(0, colon);
        Path here = CommandPaths.existing(from, base, "no such file or directory");
        String to =
                colon < 0 ? here.toString() : inside(word.substring(colon + 1)).toString();
        // The runtimes' options have no way to write them.
        if (Stream.of(here.toString(), to).anyMatch(path -> path.contains(":") || path.contains(","))) {
            throw BadValue.of("'" + word + "'", "a path without ':' and ','");
        }
        return new Mount(here, to);
    }

    private static String image(String text) {
        if (!IMAGE.matcher(text).matches()) {
            throw BadValue.of("'" + text + "'", "the name of an image, such as eclipse-temurin:25");
        }
        return text;
    }

    private static ContainerEngine engine(String text) {
        List<String> ids = ContainerEngine.ids().toList();
        if (!ids.contains(text)) {
            throw new BadValue(Nearest.complaint("runtime", text, ids));
        }
        return ContainerEngine.of(text);
    }
}
