package dev.kiln.run;

import dev.kiln.console.Installation;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.plan.Changes;
import dev.kiln.plan.ExperimentFile;
import dev.kiln.plan.FlagExperiment;
import dev.kiln.plan.load.Sweep;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** CourseOptions say how an experiment runs; a missing one leaves that to the file or the default. */
public final class CourseOptions {
    public static final String NO_REPEAT =
            "Do not wait until the target's CPUs are quiet, and do not repeat a run that the machine disturbed.";

    @Option(
            names = "--connections",
            paramLabel = "N[,N...]",
            description = "Connections, each with one request in flight (100); several are a sweep.")
    private Optional<String> connections = Optional.empty();

    @Option(
            names = "--engine",
            description = "What sends the load: ${COMPLETION-CANDIDATES} (kiln).",
            completionCandidates = FlagExperiment.EngineNames.class)
    private Optional<String> engine = Optional.empty();

    @Option(
            names = "--protocol",
            description =
                    "blog, cycles, default, quick, or phases: load=60s,reference=until-found (60 s of load, then rounds until"
                            + " the peak is found).")
    private Optional<String> protocol = Optional.empty();

    @Option(
            names = "--runs",
            description =
                    "Runs of each variant (3), or until-decided[:WIDTH[:LEAST-MOST]], such as until-decided:5%%:5-10.")
    private Optional<String> runs = Optional.empty();

    @Option(
            names = "--jdks",
            paramLabel = "JDK[,JDK...]",
            description = "Run each variant with each of these JDKs: versions or homes, such as 17,21,25.")
    private Optional<String> jdks = Optional.empty();

    @Option(names = "--no-repeat", description = NO_REPEAT)
    private boolean noRepeat;

    @Option(names = "--cold", description = "Drop the page cache before each launch of the target; needs root.")
    private boolean cold;

    @Option(names = "--seed", description = "Seed of the order of runs (1).")
    private Optional<Long> seed = Optional.empty();

    void assume(String otherConnections, String otherProtocol, String otherRuns) {
        connections = connections.or(() -> Optional.of(otherConnections));
        protocol = protocol.or(() -> Optional.of(otherProtocol));
        runs = runs.or(() -> Optional.of(otherRuns));
    }

    /** Refuses a file that is missing: it may be an experiment of Kiln's, named from another folder. */
    static void requireHere(Path file) {
        String name = String.valueOf(file.getFileName());
        Path own = Installation.root().resolve("experiments").resolve(name.endsWith(".yaml") ? name : name + ".yaml");
        if (!Files.exists(file) && Files.exists(own)) {
            throw KilnException.usage(
                    file + ": no such file", "Kiln's own experiment of that name is " + own.normalize());
        }
    }

    /** Returns the levels of a sweep if several were given, one number, or nothing for the default. */
    List<Integer> connections() {
        return connections.map(text -> Sweep.levels("--connections", text)).orElse(List.of());
    }

    Experiment read(Path file) {
        requireHere(file);
        return connections.isEmpty() ? ExperimentFile.read(file) : ExperimentFile.read(file, connections());
    }

    /** Returns the experiment, changed as these options say. */
    Experiment on(Experiment experiment) {
        Experiment changed = experiment;
        if (runs.isPresent()) {
            changed = changed.with(FlagExperiment.runs(runs.get())
                    .withRepeats(experiment.runs().repeat()));
        }
        if (noRepeat) {
            changed = changed.with(changed.runs().withRepeats(false));
        }
        if (protocol.isPresent()) {
            changed = changed.with(FlagExperiment.protocol(protocol.get()));
        }
        if (engine.isPresent()) {
            changed = changed.with(changed.load().with(FlagExperiment.engine(engine.get())));
        }
        if (jdks.isPresent()) {
            changed = changed.with(Changes.byJdk(changed.variants(), FlagExperiment.jdks(jdks.get())));
        }
        if (cold) {
            changed = changed.withColdCache();
        }
        return seed.isPresent() ? changed.withSeed(seed.get()) : changed;
    }
}
