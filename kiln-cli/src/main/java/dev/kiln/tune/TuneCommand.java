package dev.kiln.tune;

import dev.kiln.console.Consent;
import dev.kiln.console.NextStep;
import dev.kiln.console.Outputs;
import dev.kiln.console.ResultConsole;
import dev.kiln.model.KilnException;
import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Variant;
import dev.kiln.plan.load.Protocols;
import dev.kiln.plan.text.DurationText;
import dev.kiln.results.Reporting;
import dev.kiln.run.ExperimentOptions;
import dev.kiln.run.LabSession;
import dev.kiln.run.LabSession.WorkEnding;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.tune.BudgetPlan.Lengths;
import dev.kiln.tune.TuneTrials.Wanted;
import dev.kiln.tune.Tuning.TuneVerdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kiln tune} searches for the cure of a service, and proves it. */
@Command(
        name = "tune",
        description = {
            "Searches for what makes this service reach its peak sooner, and proves it on fresh runs.",
            "",
            "Takes the options of kiln run. The first variant is the baseline. Kiln tries the remedies of the causes that it"
                    + " confirms there, and the experiment's other variants. --resume, or the same --results,"
                    + " goes on with a search that has ended or was interrupted."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true,
        customSynopsis = {
            "kiln tune EXPERIMENT.yaml [--budget 60m] [--goal t90] [OPTIONS]",
            "       kiln tune --url URL [OPTIONS] -- COMMAND ARGS...",
            "       kiln tune --attach WHAT --restart COMMAND --url URL [--apply] [OPTIONS]"
        },
        footer = {
            "",
            "Exit codes: 0 improved or nothing to gain, 4 cannot tell, 1 a run failed, or a restart hands no variable on;"
                    + " 2 wrong usage or file."
        })
public final class TuneCommand implements Callable<Integer> {
    @Mixin
    private final ExperimentOptions options = new ExperimentOptions();

    @Mixin
    private final ResultConsole console = new ResultConsole();

    private static final int CANNOT_TELL = 4;

    /** The shortest protocol that shows a peak: two of its runs fit into the time of one of the usual one. */
    private static final Protocol SHORT = Protocols.parse("load=60s,pause=15s,load=20s");

    /** A folder is named after its experiment, this, and when the search began. */
    private static final String FOLDER = "-tune";

    @Option(names = "--budget", description = "Time for the whole search, give or take a run (60m).")
    private String budget = "60m";

    @Option(names = "--goal", description = "What to improve: warm-up-cost, t90, slo or peak (warm-up-cost).")
    private String goal = "warm-up-cost";

    @Option(
            names = "--keep-peak",
            paramLabel = "SHARE",
            description = "The share of the baseline's peak that a cure must keep (0.97).")
    private double keepPeak = 0.97;

    @Option(
            names = "--candidates",
            paramLabel = "NAMES",
            description = "Try only these, such as xbatch,aot-traffic; or all but these: -xbatch,-aot-traffic.")
    private @Nullable String candidates;

    @Option(names = "--resume", description = "Go on with the newest search of this experiment in results.")
    private boolean resume;

    @Option(
            names = "--apply",
            description =
                    "With --restart: ask, and then have the service started once more with the proven cure. It stays so.")
    private boolean apply;

    @Option(names = "--yes", description = "With --apply: do not ask.")
    private boolean yes;

    /** It stays empty if the search is interrupted. */
    private final List<SearchEnding> endings = new ArrayList<>();

    @Override
    public Integer call() {
        options.refuse("--observer-effect", "use kiln run");
        options.refuse("--live", "kiln serve shows the folder given to --results while it grows");
        options.refuse("--runs", "a search runs each variant until it knows enough; --budget bounds it");
        Experiment given = options.wanted();
        Goal by = Goal.of(goal)
                .orElseThrow(() -> KilnException.usage(
                        "--goal: found '" + goal + "', expected one of " + String.join(", ", Goal.ids()), ""));
        TuneRules.require(given, by);
        Optional<Consent> consent = consent(given);
        if (!(keepPeak > 0 && keepPeak <= 1)) {
            throw KilnException.usage("--keep-peak: found " + keepPeak + ", expected a share above 0, at most 1", "");
        }
        Duration limit = DurationText.option("--budget", budget);
        Optional<Path> there = console.parsed().hasMatchedOption("--results")
                ? Optional.of(options.outputs().results())
                : resume ? Optional.of(newest(given.name())) : Optional.empty();
        Optional<TunePlan> before = there.flatMap(TunePlan.FILE::find);
        Experiment wanted = fitting(given, by, limit);
        BudgetPlan budgeted =
                before.isPresent() ? before.get().plan().orElse(BudgetPlan.USUAL) : planned(wanted, by, limit);
        Path directory = there.orElseGet(() -> options.outputs().fresh(given.name() + FOLDER));
        // A search goes on as it began, whatever the budget is now.
        List<Protocol> protocols =
                isFree() ? List.of(wanted.protocol(), given.protocol(), SHORT) : List.of(given.protocol());
        LabSession session = new LabSession(console, options.outputs().secrets());
        int found = session.run(() ->
                Outputs.alone(directory, () -> searched(session, given, protocols, by, limit, budgeted, directory)));
        // The service runs as before by now, however long somebody thinks about the answer.
        return consent.isPresent() && !endings.isEmpty()
                ? new Applying(
                                console,
                                options.outputs().secrets(),
                                given,
                                endings.getFirst().experiment(),
                                directory)
                        .run(endings.getFirst().tuning(), consent.get(), found)
                : found;
    }

    /**
     * A SearchEnding is what a search came to.
     *
     * @param experiment as it was resolved
     */
    private record SearchEnding(Experiment experiment, Tuning tuning) {}

    /** Returns who agrees to a change of the service; empty where none is wanted. */
    private Optional<Consent> consent(Experiment given) {
        if (yes && !apply) {
            throw KilnException.usage("--yes without --apply: nothing is asked", "leave it out");
        }
        if (!apply) {
            return Optional.empty();
        }
        TuneRules.requireApplicable(given);
        return Optional.of(Consent.to("--apply", yes));
    }

    /** Returns the folder of the search of this name that began last. */
    private Path newest(String name) {
        Path all = options.outputs().results();
        try (Stream<Path> folders = Files.isDirectory(all) ? Files.list(all) : Stream.empty()) {
            return folders.filter(folder -> String.valueOf(folder.getFileName()).startsWith(name + FOLDER + "-"))
                    .filter(folder -> TunePlan.FILE.find(folder).isPresent())
                    .max(Comparator.comparing(folder -> String.valueOf(folder.getFileName())))
                    .orElseThrow(() -> KilnException.usage(
                            "--resume: no search of " + name + " is in " + all,
                            "name its folder (--results DIR), or leave --resume out to begin one"));
        } catch (IOException e) {
            throw KilnException.machine(e, "cannot list " + all, "name the folder: --results DIR");
        }
    }

    /** Tells whether nobody asked for a protocol. */
    private boolean isFree() {
        return options.file().isEmpty() && !console.parsed().hasMatchedOption("--protocol");
    }

    /** Returns the experiment with a shorter protocol where the usual one, for which nobody asked, leaves too few runs. */
    private Experiment fitting(Experiment wanted, Goal by, Duration limit) {
        boolean fits = BudgetPlan.of(limit.toMillis() / 1e3, TuneBudget.lengths(wanted, by))
                .filter(BudgetPlan::isWhole)
                .isPresent();
        return fits || !isFree() ? wanted : wanted.with(SHORT);
    }

    /** Returns what the budget is spent on, and refuses one that is too small before the first run. */
    private static BudgetPlan planned(Experiment wanted, Goal by, Duration limit) {
        Lengths lengths = TuneBudget.lengths(wanted, by);
        return BudgetPlan.of(limit.toMillis() / 1e3, lengths)
                .orElseThrow(() -> KilnException.usage(
                        String.format(
                                Locale.ROOT,
                                "--budget: a search of runs of about %.0f s takes at least %.0f min",
                                lengths.run(),
                                Math.ceil(BudgetPlan.leastOf(lengths) / 60)),
                        "give it more, or choose a shorter --protocol"));
    }

    private int searched(
            LabSession session,
            Experiment wanted,
            List<Protocol> protocols,
            Goal by,
            Duration limit,
            BudgetPlan budgeted,
            Path directory) {
        Experiment experiment = asBefore(session.resolved(wanted), protocols, by, directory);
        TunePlan plan = TunePlan.of(directory, experiment, by, budgeted).showing(experiment, by, limit);
        BudgetPlan kept = plan.plan().orElse(BudgetPlan.USUAL);
        announce(
                session,
                experiment,
                kept.text(limit.toMillis() / 1e3, TuneBudget.lengths(experiment, by), TuneBudget.blind(experiment)));
        Variant baseline = experiment.variants().getFirst();
        List<Tuning> found = new ArrayList<>();
        List<HandedOver> written = new ArrayList<>();
        WorkEnding ending = session.work(() -> session.withLab(experiment.cpus(), lab -> {
            session.build(experiment);
            TunePlan.FILE.write(directory, plan);
            try (TuneTrials trials = new TuneTrials(
                    session,
                    console,
                    lab,
                    experiment,
                    directory,
                    limit,
                    Wanted.of(Optional.ofNullable(candidates)),
                    plan)) {
                new HandedOn(experiment, new TuneStage(directory.resolve(HandedOn.STAGE)))
                        .show(trials::glimpse)
                        .ifPresent(trials::tell);
                found.add(new Search(
                                trials,
                                baseline.name(),
                                by,
                                keepPeak,
                                kept,
                                AnalysisConfig.defaults().confidence(),
                                trials::together)
                        .run());
                new AsWritten(baseline, directory, options.outputs().secrets(), trials::once)
                        .of(found.getFirst())
                        .ifPresent(written::add);
            }
            return true;
        }));
        if (ending == WorkEnding.INTERRUPTED) {
            console.err().println("kiln: interrupted; the same command with --results " + directory + " goes on");
            return LabSession.INTERRUPTED;
        }
        Tuning tuning = found.getFirst();
        TunePlan.end(directory, tuning, baseline, options.outputs().secrets());
        told(tuning, baseline, directory, written.stream().findFirst());
        endings.add(new SearchEnding(experiment, tuning));
        return session.exit(tuning.verdict() == TuneVerdict.CANNOT_TELL ? CANNOT_TELL : 0);
    }

    /** Says what will be done, before the first run. */
    private void announce(LabSession session, Experiment experiment, String plan) {
        if (isFree() && experiment.protocol().equals(SHORT)) {
            session.note(
                    "each run is 60 s of load, a pause of 15 s and 20 s of load, because the usual runs are too long for this budget;"
                            + " --protocol chooses others");
        }
        session.note(plan);
        HandedOn.plan(experiment.variants().getFirst().target()).ifPresent(session::note);
    }

    /** Returns the experiment with that of these protocols with which the folder's search began, or else with the first. */
    private static Experiment asBefore(Experiment experiment, List<Protocol> protocols, Goal by, Path directory) {
        Optional<String> question = TunePlan.FILE.find(directory).map(TunePlan::question);
        return protocols.stream()
                .map(experiment::with)
                .filter(one -> question.equals(Optional.of(TuneQuestion.of(one, by))))
                .findFirst()
                .orElseGet(() -> experiment.with(protocols.getFirst()));
    }

    private void told(Tuning tuning, Variant baseline, Path directory, Optional<HandedOver> written) {
        Optional<Path> report =
                tuning.winner().map(winner -> directory.resolve(winner.stage())).filter(Reporting::hasRuns);
        report.ifPresent(folder -> new Reporting(console.withoutJson()).write(folder));
        Secrets secrets = options.outputs().secrets();
        console.print(
                () -> secrets.text(TuneJson.render(tuning, baseline, written)),
                () -> secrets.text(TuneText.terminal(tuning, baseline, console.style()))
                        + written.map(HandedOver::text).map(secrets::text).orElse("")
                        + report.map(folder -> "Report: " + folder.resolve("report.html") + "\n")
                                .orElse(""));
        console.next(NextStep.serve(directory.resolveSibling("")));
    }
}
