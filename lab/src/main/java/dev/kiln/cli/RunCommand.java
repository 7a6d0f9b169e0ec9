package dev.kiln.cli;

import dev.kiln.compare.Gates;
import dev.kiln.model.Experiment;
import dev.kiln.model.GateSpec;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.Variant.Observe;
import dev.kiln.plan.ExperimentFile;
import dev.kiln.plan.FlagExperiment;
import dev.kiln.plan.GateBinder;
import dev.kiln.plan.ObserverEffect;
import dev.kiln.plan.Sweep;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kiln run}: an experiment from a file, or from flags and a command. */
@Command(
        name = "run",
        description = "Runs an experiment: from a file, or anyone's service from flags.",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        customSynopsis = {
            "kiln run EXPERIMENT.yaml [--runs N] [--protocol P] [--results DIR] [--json FILE]",
            "       kiln run --url URL [OPTIONS] -- COMMAND ARGS..."
        })
class RunCommand implements Callable<Integer> {
    static final String NO_REPEAT =
            "Do not wait until the target's CPUs are quiet, and repeat no run that the machine spoiled.";

    @Parameters(paramLabel = "EXPERIMENT.yaml | -- COMMAND ARGS...", description = "What to run.", arity = "0..*")
    private List<String> words = List.of();

    @Option(names = "--url", description = "Where the load goes; $${port} stands for a free port that Kiln chooses.")
    private @Nullable String url;

    @Option(
            names = "--connections",
            paramLabel = "N[,N...]",
            description = "Connections, each with one request in flight (100); several are a sweep.")
    private @Nullable String connections;

    @Option(names = "--rate", description = "Requests per second; without it each connection sends when it can.")
    private @Nullable Double rate;

    @Option(names = "--timeout", description = "After which a request counts as timed out (30s).")
    private @Nullable String timeout;

    @Option(
            names = "--engine",
            description = "What sends the load: ${COMPLETION-CANDIDATES} (kiln).",
            completionCandidates = FlagExperiment.Engines.class)
    private @Nullable String engine;

    @Option(
            names = "--variant",
            paramLabel = "NAME=JVM FLAGS",
            description = "A variant beside the command as it is, which is called baseline. May be repeated.")
    private List<String> variants = List.of();

    @Option(names = "--only-variants", description = "Leave the baseline out.")
    private boolean onlyVariants;

    @Option(
            names = "--with",
            paramLabel = "NAME=MODIFIERS",
            description = "Modifiers of a variant, such as quota=cpu-quota:1.5,xbatch. May be repeated.")
    private List<String> modifiers = List.of();

    @Option(
            names = "--protocol",
            description =
                    "blog, cycles, default, quick, or phases: load=60s,reference=until-found (60 s of load, then rounds until"
                            + " the reference peak is found).")
    private @Nullable String protocol;

    @Option(
            names = "--runs",
            description =
                    "Runs of each variant (3), or until-decided[:WIDTH[:LEAST-MOST]], such as until-decided:5%%:5-10.")
    private @Nullable String runs;

    @Option(names = "--no-repeat", description = NO_REPEAT)
    private boolean noRepeat;

    @Option(names = "--seed", description = "Seed of the order of runs (1).")
    private @Nullable Long seed;

    @Option(names = "--jdk", description = "The JDK to launch with: a version or a home.")
    private @Nullable String jdk;

    @Option(names = "--cpus", description = "auto, or target=0-3,load=4,database=5.")
    private @Nullable String cpus;

    @Option(names = "--env", paramLabel = "NAME=VALUE", description = "Added to the environment. May be repeated.")
    private List<String> environment = List.of();

    @Option(names = "--ready", description = "When it has started: a URL, port:8080 or log:REGEX (first response).")
    private @Nullable String ready;

    @Option(names = "--ready-timeout", description = "How long to wait for that (120s).")
    private @Nullable String readyTimeout;

    @Option(
            names = "--no-jit-queries",
            description = "Do not ask the JVM for its compile queues, methods by level and code cache.")
    private boolean noJitQueries;

    @Option(names = "--flight-recorder", description = "Launch with a flight recording: the JIT's own account.")
    private boolean flightRecorder;

    @Option(names = "--async-profiler", description = "Launch with async-profiler: interpreter, C1, C2 over time.")
    private boolean asyncProfiler;

    @Option(
            names = "--observer-effect",
            description = "Run the first variant with and without each instrument, and print what they cost.")
    private boolean observerEffect;

    @Option(names = "--name", description = "Name of the experiment (run).")
    private String name = "run";

    @Mixin
    private final Outputs outputs = new Outputs();

    @Mixin
    private final Console console = new Console();

    @Override
    public Integer call() {
        Experiment asked = experiment();
        Optional<GateSpec> gate =
                url == null ? GateBinder.read(Path.of(words.getFirst()), asked.variants()) : Optional.empty();
        gate.ifPresent(found -> Gates.requireKnown(found.tolerances()));
        Experiment wanted = observed(asked);
        RunSession session = new RunSession(console, outputs);
        int exit = session.run(wanted);
        if (ObserverEffect.is(wanted) && exit != LabSession.INTERRUPTED) {
            session.recorded().ifPresent(folder -> new ObserverCost(console, outputs).print(folder));
        }
        return gate.isPresent()
                        && exit != LabSession.INTERRUPTED
                        && session.recorded().isPresent()
                        && new GatesOfRun(gate.get(), outputs.tables(console), console.err(), console.style())
                                .print(session.recorded().get())
                ? Math.max(exit, Exit.PROBLEM.code())
                : exit;
    }

    private Experiment observed(Experiment experiment) {
        if (observerEffect) {
            return ObserverEffect.of(experiment);
        }
        return experiment.with(experiment.variants().stream()
                .map(variant -> variant.with(new Observe(
                        !noJitQueries && variant.observe().jit(),
                        flightRecorder || variant.observe().flightRecorder(),
                        asyncProfiler || variant.observe().asyncProfiler())))
                .toList());
    }

    /** What holds where the command line says nothing, and there is no file to say it. */
    final void assume(String otherConnections, String otherProtocol, String otherRuns) {
        if (url != null) {
            connections = connections == null ? otherConnections : connections;
            protocol = protocol == null ? otherProtocol : protocol;
            runs = runs == null ? otherRuns : runs;
        }
    }

    /** What stands behind the options. */
    final List<String> words() {
        return words;
    }

    final Console console() {
        return console;
    }

    final Outputs outputs() {
        return outputs;
    }

    /** Whether the load is an open loop, or the question is what observing costs: neither goes by connections. */
    final boolean beside(String what) {
        return switch (what) {
            case "--rate" -> rate != null;
            case "--observer-effect" -> observerEffect;
            default -> throw new IllegalArgumentException(what);
        };
    }

    final Experiment wanted() {
        return observed(experiment());
    }

    private Experiment experiment() {
        if (url != null) {
            return sent(fromFlags(url));
        }
        if (words.size() != 1) {
            throw new KilnException(
                    Exit.USAGE,
                    words.isEmpty() ? "nothing to run" : "no --url for the load of this command",
                    "kiln run EXPERIMENT.yaml, or kiln run --url http://localhost:8080/path -- java -jar app.jar");
        }
        refuseFlagsBesideFile();
        Path file = Path.of(words.getFirst());
        return sent(overridden(
                connections == null
                        ? ExperimentFile.read(file)
                        : ExperimentFile.read(file, Sweep.levels("--connections", connections))));
    }

    private Experiment sent(Experiment experiment) {
        Experiment repeated = noRepeat ? experiment.with(experiment.runs().withRepeats(false)) : experiment;
        return engine == null ? repeated : repeated.with(repeated.load().with(FlagExperiment.engine(engine)));
    }

    /** Else a flag would be ignored without a word. */
    private void refuseFlagsBesideFile() {
        boolean any = rate != null
                || timeout != null
                || !variants.isEmpty()
                || onlyVariants
                || !modifiers.isEmpty()
                || jdk != null
                || cpus != null
                || !environment.isEmpty()
                || ready != null
                || readyTimeout != null;
        if (any) {
            throw new KilnException(
                    Exit.USAGE,
                    "beside an experiment file only --connections, --runs, --no-repeat, --protocol, --engine, --seed, --results, --json and what observes are taken",
                    "put the rest into " + words.getFirst());
        }
    }

    private Experiment overridden(Experiment file) {
        Experiment changed = file;
        if (runs != null) {
            changed = changed.with(
                    FlagExperiment.runs(runs).withRepeats(file.runs().repeat()));
        }
        if (protocol != null) {
            changed = changed.with(FlagExperiment.protocol(protocol));
        }
        return seed == null ? changed : changed.withSeed(seed);
    }

    private Experiment fromFlags(String target) {
        List<Integer> levels = connections == null ? List.of() : Sweep.levels("--connections", connections);
        Experiment one = oneLevel(target, levels);
        return levels.size() < 2 ? one : Sweep.over(one, levels);
    }

    private Experiment oneLevel(String target, List<Integer> levels) {
        return new FlagExperiment(
                        Path.of("").toAbsolutePath(),
                        name,
                        words,
                        target,
                        levels.isEmpty() ? OptionalInt.empty() : OptionalInt.of(levels.getLast()),
                        rate == null ? OptionalDouble.empty() : OptionalDouble.of(rate),
                        Optional.ofNullable(timeout),
                        variants,
                        onlyVariants,
                        modifiers,
                        Optional.ofNullable(protocol),
                        Optional.ofNullable(runs),
                        seed == null ? OptionalLong.empty() : OptionalLong.of(seed),
                        Optional.ofNullable(jdk),
                        Optional.ofNullable(cpus),
                        environment,
                        Optional.ofNullable(ready),
                        Optional.ofNullable(readyTimeout))
                .toExperiment();
    }
}
