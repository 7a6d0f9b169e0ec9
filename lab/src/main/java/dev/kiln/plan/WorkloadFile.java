package dev.kiln.plan;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Workload;
import dev.kiln.plan.text.Fields;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Section;
import dev.kiln.plan.text.YamlTree;
import dev.kiln.text.Nearest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Reads {@code workload.yaml} in a folder of {@code workloads/}. */
public final class WorkloadFile {
    private static final String FILE = "workload.yaml";

    private WorkloadFile() {}

    /**
     * @param workloads the folder that holds all workloads
     * @throws KilnException if there is no such workload, naming those there are, or its file is wrong
     */
    public static Workload read(Path workloads, String name) {
        Path directory = workloads.resolve(name);
        Path file = directory.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            throw new KilnException(
                    Exit.USAGE,
                    Nearest.complaint("workload", name, names(workloads)),
                    "A workload is a folder with a " + FILE + " in " + workloads + ".");
        }
        Problems problems = new Problems(file.toString());
        Fields fields = YamlTree.parse(ExperimentFile.textOf(file), problems)
                .flatMap(root -> Fields.of(root, Section.WORKLOAD, "a map with build and command", problems))
                .orElseThrow(problems::failure);
        List<String> build = fields.words("build").orElse(List.of());
        List<String> command = fields.words("command").orElse(List.of());
        if (command.isEmpty()) {
            problems.add(fields.at(), "found no command, expected the command that starts the service");
        }
        Workload workload = new Workload(
                name,
                directory,
                build,
                fields.words("sources").orElse(List.of()).stream()
                        .map(directory::resolve)
                        .map(Path::normalize)
                        .toList(),
                directory.resolve(fields.text("product").orElse("target")),
                command,
                fields.words("virtualThreadsCommand").orElse(List.of()),
                fields.text("database").map(directory::resolve).map(Path::normalize),
                fields.map("environment"));
        problems.throwIfAny();
        return workload;
    }

    private static List<String> names(Path workloads) {
        try (Stream<Path> folders = Files.list(workloads)) {
            return folders.filter(folder -> Files.isRegularFile(folder.resolve(FILE)))
                    .map(folder -> folder.getFileName().toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
