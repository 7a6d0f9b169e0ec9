package dev.kiln.plan;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target.JdkChoice;
import dev.kiln.model.experiment.Workload;
import dev.kiln.model.experiment.Workload.WorkloadBuild;
import dev.kiln.model.experiment.Workload.WorkloadLaunch;
import dev.kiln.plan.text.Fields;
import dev.kiln.plan.text.JdkBinder;
import dev.kiln.plan.text.Names;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Section;
import dev.kiln.plan.text.YamlTree;
import dev.kiln.text.Nearest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** WorkloadFile reads {@code workload.yaml} in a folder of {@code workloads/}. */
public final class WorkloadFile {
    private static final String FILE = "workload.yaml";

    /** A backend may have these placeholders alone, because it knows nothing of the target. */
    private static final List<String> OF_BACKENDS = List.of(Placeholders.BACKEND_PORT, Placeholders.RUN_DIR);

    private WorkloadFile() {}

    /**
     * Reads the workload of that name.
     *
     * @param workloads the folder that holds all workloads
     * @throws KilnException if there is no such workload, naming those there are, or its file is wrong
     */
    public static Workload read(Path workloads, String name) {
        Path directory = workloads.resolve(name);
        Path file = directory.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            throw KilnException.usage(
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
        List<String> backend = backend(fields, problems);
        WorkloadBuild made = new WorkloadBuild(
                build,
                fields.words("sources").orElse(List.of()).stream()
                        .map(directory::resolve)
                        .map(Path::normalize)
                        .toList(),
                fields.words("needs").orElse(List.of()),
                directory.resolve(fields.text("product").orElse("target")));
        List<String> virtualThreads = fields.words("virtualThreadsCommand").orElse(List.of());
        Optional<JdkChoice> jdk = fields.node("jdk").flatMap(node -> new JdkBinder(directory, problems).bind(node));
        Optional<Path> database =
                fields.text("database").map(directory::resolve).map(Path::normalize);
        WorkloadLaunch launch = new WorkloadLaunch(command, virtualThreads, jdk, environment(fields, backend));
        problems.throwIfAny();
        return new Workload(name, directory, made, launch, backend, database);
    }

    private static List<String> backend(Fields fields, Problems problems) {
        List<String> command = fields.words("backend", text -> Names.checkPlaceholders(text, OF_BACKENDS))
                .orElse(List.of());
        boolean told =
                command.stream().anyMatch(word -> Placeholders.namesIn(word).contains(Placeholders.BACKEND_PORT));
        if (!command.isEmpty() && !told) {
            problems.add(
                    fields.at("backend"),
                    "backend",
                    "found no ${" + Placeholders.BACKEND_PORT + "}, expected it in the command, which"
                            + " must listen on that port");
        }
        return command;
    }

    /** Reads the target's environment, which may name the port of its backend where it has one. */
    private static Map<String, String> environment(Fields fields, List<String> backend) {
        List<String> known = Stream.concat(
                        Placeholders.KNOWN.stream(),
                        backend.isEmpty() ? Stream.empty() : Stream.of(Placeholders.BACKEND_PORT))
                .toList();
        return fields.map("environment", text -> Names.checkPlaceholders(text, known));
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
