package dev.kiln.run;

import dev.kiln.host.process.Programs;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.DatabaseSpec;
import dev.kiln.model.experiment.JvmOptions;
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

/** Workloads puts the launch command of a workload in place of its name. */
final class Workloads {
    private final Path folder;
    private final Map<String, Workload> read = new HashMap<>();

    Workloads(Path folder) {
        this.folder = folder;
    }

    /** Returns the workloads that an experiment names, each once. */
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

    /** Returns the experiment with each workload on its own JDK, unless the variant or the place names another. */
    Experiment onTheirJdks(Experiment experiment) {
        return experiment.with(
                experiment.variants().stream().map(this::onItsJdk).toList());
    }

    private Variant onItsJdk(Variant variant) {
        Target target = variant.target();
        return target.workload()
                // An image has its own. A JDK from here would have to be lent to the container.
                .filter(name -> target.jdk().isEmpty() && !(target.where() instanceof Where.ContainerPlace))
                .flatMap(name -> workload(name).launch().jdk())
                .map(jdk -> variant.with(target.with(jdk)))
                .orElse(variant);
    }

    /** Returns what this machine lacks to build a variant's workload; empty if nothing is missing. */
    Optional<String> lacking(Variant variant) {
        return variant.target()
                .workload()
                .map(this::workload)
                .flatMap(workload -> workload.build().needs().stream()
                        .filter(tool -> Programs.find(tool).isEmpty())
                        .findFirst()
                        .map(tool -> "workload " + workload.name() + " needs '" + tool
                                + "', and there is no such program in" + " the PATH"));
    }

    /** Returns the experiment's database; without a script of its own it is filled as the workloads need it. */
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
            throw KilnException.usage(
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
        lacking(variant).ifPresent(what -> {
            throw KilnException.machine(
                    "variant " + variant.name() + ": " + what,
                    "install it, or leave the variant out where it is missing: optional: true");
        });
        checkFlags(variant, workload);
        if (target.virtualThreads() && workload.launch().virtualThreadsCommand().isEmpty()) {
            throw KilnException.usage(
                    "variant " + variant.name() + ": workload " + workload.name()
                            + " has no command with virtual threads",
                    "add virtualThreadsCommand to its workload.yaml, or leave virtualThreads out");
        }
        requireNoBackendElsewhere(variant, workload);
        Map<String, String> environment = new HashMap<>(workload.launch().environment());
        environment.putAll(target.environment());
        boolean needsDatabase = environment.values().stream()
                .flatMap(value -> Placeholders.namesIn(value).stream())
                .anyMatch(name -> name.startsWith("db."));
        if (needsDatabase && database instanceof DatabaseSpec.None) {
            throw KilnException.usage(
                    "workload " + workload.name() + " needs a database and the experiment has none",
                    "add to the experiment file: database: postgres");
        }
        return target.with(new Target.Program(
                target.workload(),
                target.virtualThreads(),
                target.virtualThreads()
                        ? workload.launch().virtualThreadsCommand()
                        : workload.launch().command(),
                target.arguments(),
                environment,
                Optional.of(target.workingDirectory().orElse(workload.directory())),
                workload.backend()));
    }

    /** Refuses flags that would reach no JVM: two variants would silently be equal. */
    private static void checkFlags(Variant variant, Workload workload) {
        boolean jvm =
                !variant.target().jvmFlags().isEmpty() || variant.target().aot().isPresent();
        if (jvm && !JvmOptions.isJava(workload.launch().command().getFirst())) {
            throw KilnException.usage(
                    "variant " + variant.name() + ": found JVM flags or an AOT cache, and workload " + workload.name()
                            + " is no java command",
                    "leave them out of what the variant begins with; a native executable takes arguments: -Xmx512m");
        }
    }

    private static void requireNoBackendElsewhere(Variant variant, Workload workload) {
        if (variant.target().where() instanceof Where.HostPlace host
                && !workload.backend().isEmpty()) {
            throw KilnException.usage(
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
