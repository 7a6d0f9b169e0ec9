package dev.kiln.plan;

import dev.kiln.files.InputFile;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.GateSpec;
import dev.kiln.model.experiment.Variant;
import dev.kiln.plan.text.Fields;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Section;
import dev.kiln.plan.text.YamlTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** ExperimentFile reads an experiment from its YAML file. */
public final class ExperimentFile {
    private final Path base;
    private final String name;
    private final Problems problems;
    private final Optional<List<Integer>> levels;

    private ExperimentFile(Path file, Optional<List<Integer>> levels) {
        Path absolute = file.toAbsolutePath().normalize();
        this.base = Optional.ofNullable(absolute.getParent()).orElse(absolute);
        this.name = absolute.getFileName().toString().replaceFirst("\\.ya?ml$", "");
        this.problems = new Problems(file.toString());
        this.levels = levels;
    }

    /**
     * Reads and checks {@code file}.
     *
     * @throws KilnException that lists every error of the file, a line each: {@code file:line: what was found, what
     *     was expected}
     */
    public static Experiment read(Path file) {
        return new ExperimentFile(file, Optional.empty()).bind(textOf(file));
    }

    /** Reads the file with these numbers of connections: each level of each variant is a variant of its own. */
    public static Experiment read(Path file, List<Integer> levels) {
        return new ExperimentFile(file, Optional.of(levels)).bind(textOf(file));
    }

    /** Reads the gate of a file that has been found good; empty if it has none. */
    public static Optional<GateSpec> gate(Path file, List<Variant> variants) {
        Problems problems = new Problems(file.toString());
        Optional<GateSpec> gate = YamlTree.parse(textOf(file), problems)
                .flatMap(root -> Fields.of(root, Section.EXPERIMENT, "a map with target and load", problems))
                .flatMap(fields -> fields.node("gate"))
                .flatMap(node -> new GateBinder(file.toString(), variants, problems).bind(node));
        problems.throwIfAny();
        return gate;
    }

    private Experiment bind(String text) {
        Fields fields = YamlTree.parse(text, problems)
                .flatMap(root -> Fields.of(root, Section.EXPERIMENT, "a map with target and load", problems))
                .orElseThrow(problems::failure);
        return new ExperimentBinder(base, name, problems).bind(fields, levels);
    }

    /** People write these files, and the largest that is known has 20 KB: more than this is a mistake. */
    private static final int MOST_BYTES = 1 << 20;

    static String textOf(Path file) {
        try {
            byte[] text = InputFile.named(file, MOST_BYTES);
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(text))
                    .toString();
        } catch (NoSuchFileException e) {
            throw unreadable(file, "no such file", e);
        } catch (CharacterCodingException e) {
            throw unreadable(file, "is not text in UTF-8", e);
        } catch (IOException e) {
            throw unreadable(file, Files.isDirectory(file) ? "is a directory" : "cannot be read: " + IoReason.of(e), e);
        }
    }

    private static KilnException unreadable(Path file, String why, IOException cause) {
        return KilnException.usage(file + ": " + why, "Name an experiment file, such as experiments/demo.yaml.", cause);
    }
}
