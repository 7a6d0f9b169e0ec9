package dev.kiln.cli.run;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.DatabaseSpec;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.experiment.Workload;
import dev.kiln.plan.WorkloadFile;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Puts the launch command of a workload in place of its name. */
final class Workloads {
    private final Path folder;
    private final Map<String, Workload> read = new HashMap<>();

    Workloads(Path folder) {
        this.folder = folder;
    }

    /** The workloads an experiment names, each once. */
    List<Workload> used(Experiment experiment) {
        return experiment.variants().stream()
                .map(variant -> variant.target().workload())
                .flatMap(Optional::stream)
                .distinct()
                .map(this::workload)
                .toList();
    }

    Experiment resolve(Experiment experiment) {
        List<Variant> variants = experiment.variants().stream()
                .map(variant -> variant.with(resolve(variant, experiment.database())))
                .toList();
        return experiment.with(variants, database(experiment));
    }

    /** A database without a script of the experiment's own is filled as the workloads want it. */
    private DatabaseSpec database(Experiment experiment) {
        if (!(experiment.database() instanceof DatabaseSpec.Managed managed)
                || managed.script().isPresent()) {
            return experiment.database();
        }
        List<Path> scripts = used(experiment).stream()
                .map(Workload::database)
                .flatMap(Optional::stream)
                .distinct()
                .toList();
        if (scripts.size() > 1) {
            throw new KilnException(
                    Exit.USAGE,
                    "the workloads need different databases: " + scripts,
                    "name one in the experiment file: database: {script: FILE}");
        }
        return new DatabaseSpec.Managed(scripts.stream().findFirst());
    }

    private Target resolve(Variant variant, DatabaseSpec database) {
        Target target = variant.target();
        if (target.workload().isEmpty()) {
            return target;
        }
        Workload workload = workload(target.workload().get());
        if (target.virtualThreads() && workload.virtualThreadsCommand().isEmpty()) {
            throw new KilnException(
                    Exit.USAGE,
                    "variant " + variant.name() + ": workload " + workload.name()
                            + " has no command with virtual threads",
                    "add virtualThreadsCommand to its workload.yaml, or leave virtualThreads out");
        }
        requireNoBackendElsewhere(variant, workload);
        Map<String, String> environment = new HashMap<>(workload.environment());
        environment.putAll(target.environment());
        boolean needsDatabase = environment.values().stream()
                .flatMap(value -> Placeholders.namesIn(value).stream())
                .anyMatch(name -> name.startsWith("db."));
        if (needsDatabase && database instanceof DatabaseSpec.None) {
            throw new KilnException(
                    Exit.USAGE,
                    "workload " + workload.name() + " needs a database and the experiment has none",
                    "add to the experiment file: database: postgres");
        }
        return target.with(new Target.Program(
                target.workload(),
                target.virtualThreads(),
                target.virtualThreads() ? workload.virtualThreadsCommand() : workload.command(),
                target.arguments(),
                environment,
                Optional.of(target.workingDirectory().orElse(workload.directory())),
                workload.backend()));
    }

    private static void requireNoBackendElsewhere(Variant variant, Workload workload) {
        if (variant.target().where() instanceof Where.Host host
                && !workload.backend().isEmpty()) {
            throw new KilnException(
                    Exit.USAGE,
                    "variant " + variant.name() + " runs on " + host.name()
                            + ", and Kiln starts the service behind workload " + workload.name()
                            + " only on this machine",
                    "leave host out, or start both services there: the one behind it by hand, the target by a command");
        }
    }

    private Workload workload(String name) {
        return read.computeIfAbsent(name, n -> WorkloadFile.read(folder, n));
    }
}
