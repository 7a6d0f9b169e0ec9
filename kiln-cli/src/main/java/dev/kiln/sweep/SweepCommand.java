package dev.kiln.sweep;

import dev.kiln.console.Console;
import dev.kiln.console.OpenOption;
import dev.kiln.console.ResultConsole;
import dev.kiln.evidence.ExperimentReader;
import dev.kiln.evidence.RunReader;
import dev.kiln.evidence.StudyFile;
import dev.kiln.explain.study.SweepResult.Density;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Variant.SweepLevel;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.run.DensityStudy;
import dev.kiln.plan.Modifiers;
import dev.kiln.plan.load.Sweep;
import dev.kiln.results.Reporting;
import dev.kiln.run.ExperimentOptions;
import dev.kiln.run.RunSession;
import dev.kiln.runner.ExperimentRunner;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.study.Experiments;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kiln sweep} runs an experiment whose variants differ in the connections that load them. */
@Command(
        name = "sweep",
        description = {
            "Measures throughput, response time, start and memory by number of connections, fits the universal scalability"
                    + " law, and says how many processes fit an amount of memory.",
            "",
            "Takes the options of kiln run. Without a file it runs each of the levels 1,5,10,15,20,25,30,35,40 once: warmed"
                    + " until steady, paused and measured (load=until-steady:60s-300s,pause=15s,load=20s)."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true,
        customSynopsis = {
            "kiln sweep EXPERIMENT.yaml [--connections 1,5,10] [--memory 2048m] [--verify-density]",
            "       kiln sweep --url URL [--connections 1,5,10] [OPTIONS] -- COMMAND ARGS...",
            "       kiln sweep RESULTS/DIR --memory 2048m"
        })
public final class SweepCommand implements Callable<Integer> {
    @Mixin
    private final ExperimentOptions options = new ExperimentOptions();

    @Mixin
    private final OpenOption page = new OpenOption();

    @Mixin
    private final ResultConsole console = new ResultConsole();

    @Option(
            names = "--memory",
            paramLabel = "AMOUNT",
            description = "Say how many processes fit this much memory, such as 2048m, and add up their throughputs.")
    private @Nullable String memory;

    @Option(
            names = "--verify-density",
            description = "With --memory: start as many as fit, by PSS, and measure them together.")
    private boolean verify;

    @Override
    public Integer call() {
        OptionalLong bytes =
                memory == null ? OptionalLong.empty() : OptionalLong.of(Modifiers.bytesOption("--memory", memory));
        if (verify && bytes.isEmpty()) {
            throw KilnException.usage(
                    "--verify-density without --memory",
                    "say how much memory the processes may take together: --memory 2048m");
        }
        if (options.words().size() == 1
                && Files.isDirectory(Path.of(options.words().getFirst()))) {
            return again(Path.of(options.words().getFirst()), bytes);
        }
        options.refuse("--rate", "an open loop has no level of concurrency: leave it out, or use kiln run");
        options.refuse("--observer-effect", "use kiln run");
        options.assume(
                Sweep.PUBLISHED.stream().map(String::valueOf).collect(Collectors.joining(",")), Sweep.protocol(), "1");
        Experiment wanted = options.wanted();
        requireLevels(wanted);
        if (verify) {
            requireTogether(wanted);
        }
        DensityChecks density = new DensityChecks(console, bytes, verify);
        RunSession session = new RunSession(console, options.outputs(), options.live(), density::after);
        int exit = session.run(wanted);
        session.end(page);
        return exit;
    }

    /** Renders what was recorded, for another amount of memory. */
    private int again(Path folder, OptionalLong bytes) {
        if (verify) {
            throw KilnException.usage(
                    "--verify-density with a finished sweep",
                    "it needs the lab: run the sweep again with --memory and --verify-density");
        }
        Path experiment = Experiments.newest(folder);
        boolean sweep = ExperimentReader.find(experiment).directories().stream()
                .map(RunReader::info)
                .anyMatch(info ->
                        SweepLevel.of(info.variant(), info.load().connections()).isPresent());
        if (!sweep) {
            throw KilnException.usage(
                    experiment + " is no sweep: its variants do not differ by connections",
                    "kiln report " + folder + " renders it");
        }
        DensityChecks.remember(experiment, bytes);
        return new Reporting(console).again(folder, page);
    }

    /** Refuses, before the first level, processes that cannot be run together to verify the density. */
    private static void requireTogether(Experiment wanted) {
        LoadEngine engine = wanted.load().engine();
        if (!engine.equals(LoadEngine.KILN)) {
            throw KilnException.usage(
                    "--verify-density with engine " + engine.id()
                            + ", which sends to one address, where each process has its own",
                    "leave out one of the two");
        }
        for (Variant variant : wanted.variants()) {
            if (variant.target().where() instanceof Where.HostPlace host) {
                throw KilnException.usage(
                        "--verify-density with a target on " + host.name()
                                + ": processes that run together are started on this machine only",
                        "leave --verify-density out, or run Kiln there");
            }
            if (variant.target().where() instanceof Where.Running
                    || !variant.target().hooks().isEmpty()) {
                throw KilnException.usage(
                        "--verify-density with attach or commands around runs, such as beforeRun: Kiln starts the processes"
                                + " that run together itself, and nothing else",
                        "leave --verify-density out");
            }
        }
    }

    private static void requireLevels(Experiment wanted) {
        boolean replay = wanted.load().replay().isPresent();
        if (wanted.load().rate().isPresent()) {
            throw KilnException.usage(
                    wanted.name() + (replay ? " replays a recording" : " has a rate"),
                    "an open loop has no level of concurrency: leave the " + (replay ? "replay" : "rate")
                            + " out, or use kiln run");
        }
        if (wanted.variants().stream().anyMatch(variant -> variant.connections().isEmpty())) {
            throw KilnException.usage(
                    wanted.name() + " has one number of connections",
                    "give several: connections: [1, 5, 10] under load, or --connections 1,5,10");
        }
    }

    /** DensityChecks computes how many processes fit into a memory, and verifies that on request. */
    private record DensityChecks(Console console, OptionalLong memoryBytes, boolean verify) {
        /** The limit of processes to verify with: more would not show more, and take other memory. */
        private static final long MOST_PROCESSES = 64;

        /** Records the amount that was asked for, beside what was measured for it before. */
        static void remember(Path experiment, OptionalLong bytes) {
            if (bytes.isPresent()) {
                List<DensityStudy.MeasuredProcess> before = StudyFile.DENSITY
                        .find(experiment)
                        .filter(study -> study.memoryBytes() == bytes.getAsLong())
                        .map(DensityStudy::measured)
                        .orElse(List.of());
                StudyFile.DENSITY.write(experiment, new DensityStudy(bytes.getAsLong(), before));
            }
        }

        void after(ExperimentRunner runner, Path experiment) {
            remember(experiment, memoryBytes);
            if (!verify) {
                return;
            }
            List<DensityStudy.MeasuredProcess> measured = new ArrayList<>();
            for (Density.Theory theory : theory(experiment)) {
                if (theory.processes() < 1) {
                    console.err().println(theory.configuration() + ": no process fits, so there is nothing to verify");
                    continue;
                }
                SweepLevel level =
                        new SweepLevel(theory.configuration(), theory.best().connections());
                int processes = (int) Math.min(MOST_PROCESSES, theory.processes());
                runner.together(level, processes).ifPresent(measured::add);
                StudyFile.DENSITY.write(experiment, new DensityStudy(memoryBytes.orElseThrow(), measured));
            }
        }

        /** Returns the densities by PSS, which is what the processes need together; by RSS where PSS is unread. */
        private List<Density.Theory> theory(Path experiment) {
            List<Density.Theory> all = Experiments.assess(experiment, AnalysisConfig.defaults(), console.leftOut())
                    .sweep()
                    .flatMap(sweep -> sweep.density())
                    .map(Density::theory)
                    .orElse(List.of());
            return all.stream()
                    .filter(row -> row.by() == Density.By.PSS
                            || all.stream()
                                    .noneMatch(other -> other.by() == Density.By.PSS
                                            && other.configuration().equals(row.configuration())))
                    .toList();
        }
    }
}
