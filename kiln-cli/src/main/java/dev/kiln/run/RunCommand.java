package dev.kiln.run;

import dev.kiln.compare.Comparer;
import dev.kiln.compare.Comparison;
import dev.kiln.compare.Configuration;
import dev.kiln.console.Console;
import dev.kiln.console.OpenOption;
import dev.kiln.console.ResultConsole;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.Metric;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.plan.ObserverEffect;
import dev.kiln.report.ComparisonText;
import dev.kiln.results.Subjects;
import dev.kiln.run.FollowUp.AfterRun;
import dev.kiln.stats.AnalysisConfig;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kiln run} runs an experiment from a file, or from flags and a command. */
@Command(
        name = "run",
        description = "Runs an experiment: from a file, or of any service from options and its command.",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        customSynopsis = {
            "kiln run EXPERIMENT.yaml [--runs N] [--protocol P] [OPTIONS]",
            "       kiln run --url URL [OPTIONS] -- COMMAND ARGS...",
            "       kiln run --attach WHAT --url URL [OPTIONS]"
        })
public final class RunCommand implements Callable<Integer> {
    @Mixin
    private final ExperimentOptions options = new ExperimentOptions();

    @Option(
            names = "--fail-undecided",
            description = "Exit with 4 or 5, as kiln gate does, where the runs are too few for a gate of the file.")
    private boolean failUndecided;

    @Option(
            names = "--duet",
            description =
                    "Run the two variants of a block at once, each on its half of the CPUs; the next block swaps them.")
    private boolean duet;

    @Mixin
    private final OpenOption page = new OpenOption();

    @Mixin
    private final ResultConsole console = new ResultConsole();

    @Override
    public Integer call() {
        Experiment asked = duet ? options.asked().withDuet() : options.asked();
        List<AfterRun> after =
                options.file().map(file -> FollowUp.all(file, asked)).orElse(List.of());
        if (failUndecided && after.isEmpty()) {
            throw KilnException.usage(
                    "--fail-undecided: this experiment has no gate",
                    "write a gate: into its file, or leave the option out");
        }
        RunSession session = new RunSession(console, options.outputs(), options.live());
        int exit = run(session, options.observed(asked), console);
        Optional<Path> recorded = session.recorded().filter(folder -> exit != LabSession.INTERRUPTED);
        int found = 0;
        for (AfterRun work : after) {
            found = recorded.isPresent() ? worse(found, work.exit(recorded.get(), console)) : found;
        }
        session.end(page);
        return found == Exit.PROBLEM.code() ? Math.max(exit, found) : exit == 0 && failUndecided ? found : exit;
    }

    /** A problem is worse than what could not be decided. */
    private static int worse(int one, int other) {
        int problem = Exit.PROBLEM.code();
        return one == problem || other == problem ? problem : Math.max(one, other);
    }

    /** Runs the experiment, and prints what observing it cost if that was asked for; returns the exit code. */
    static int run(RunSession session, Experiment wanted, ResultConsole console) {
        int exit = session.run(wanted);
        if (ObserverEffect.is(wanted) && exit != LabSession.INTERRUPTED) {
            session.recorded().ifPresent(new ObserverCost(console)::print);
        }
        return exit;
    }

    /** ObserverCost prints what each instrument costs: runs with it against runs without. */
    static final class ObserverCost {
        /** The metrics are those that an instrument may worsen. */
        private static final List<Metric> METRICS =
                List.of(Metric.PEAK, Metric.T90, Metric.REQUESTS, Metric.START, Metric.P99);

        private final Console console;
        private final PrintWriter to;

        ObserverCost(ResultConsole console) {
            this.console = console;
            this.to = console.after();
        }

        void print(Path experiment) {
            to.println();
            try {
                List<Configuration> found = new Subjects(AnalysisConfig.defaults(), console.err())
                        .all(List.of(experiment.toString())).stream()
                                .map(one -> one.only(METRICS))
                                .toList();
                if (found.size() < 2) {
                    to.println("What observing costs: unknown, because only one variant has valid runs.");
                    return;
                }
                if (!hasUnobserved(found.stream().map(Configuration::name).toList())) {
                    to.println("What observing costs: unknown, because no run without an instrument is valid.");
                    return;
                }
                Comparison comparison =
                        Comparer.of(found, Metric.PEAK.id(), Comparer.EFFECT, AnalysisConfig.defaults());
                to.println("What observing costs");
                to.println();
                to.print(ComparisonText.terminal(List.of(comparison), false, console.style()));
            } catch (KilnException e) {
                // The report has said which runs are not valid, and why.
                to.println("What observing costs: " + e.getMessage());
            } finally {
                to.flush();
            }
        }

        /** Tells whether the first variant is the one without an instrument: the other names begin with its name. */
        static boolean hasUnobserved(List<String> variants) {
            return variants.stream().skip(1).allMatch(other -> other.startsWith(variants.getFirst() + "-"));
        }
    }
}
