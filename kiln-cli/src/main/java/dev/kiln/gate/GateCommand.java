package dev.kiln.gate;

import dev.kiln.compare.Calibration;
import dev.kiln.compare.Configuration;
import dev.kiln.compare.EarlierSessions;
import dev.kiln.compare.Gates;
import dev.kiln.compare.Gates.GateResult;
import dev.kiln.compare.Gates.GateResult.GateRow;
import dev.kiln.console.ConstantOptions;
import dev.kiln.console.NextStep;
import dev.kiln.console.Outputs;
import dev.kiln.console.ResultConsole;
import dev.kiln.console.TextFiles;
import dev.kiln.gate.GateSides.GateLooks;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.GateSpec.Tolerance;
import dev.kiln.plan.ExperimentFile;
import dev.kiln.plan.GateBinder.ToleranceFile;
import dev.kiln.results.SessionOptions;
import dev.kiln.results.Subjects;
import dev.kiln.run.CourseOptions;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Gate;
import dev.kiln.text.CsvTable;
import dev.kiln.text.Decimal;
import dev.kiln.text.Source;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kiln gate} says whether a change may pass. */
@Command(
        name = "gate",
        description =
                "Compares current runs with a baseline under tolerances, for CI: PASS, FAIL, INCONCLUSIVE, UNDER-POWERED.",
        mixinStandardHelpOptions = true,
        customSynopsis = {
            "kiln gate --baseline B --tolerance FILE CURRENT [OPTIONS]",
            "       kiln gate --table FILE",
            "       kiln gate --until-decided EXPERIMENT.yaml --tolerance FILE",
            "       kiln gate --calibrate --tolerance FILE A"
        },
        footer = {"", "Exit codes: 0 PASS, 1 FAIL, 4 INCONCLUSIVE, 5 UNDER-POWERED; 2 wrong usage or file."})
public final class GateCommand implements Callable<Integer> {
    static final int INCONCLUSIVE = 4;
    static final int UNDER_POWERED = 5;
    private static final int MOST_LOOKS = 3;

    @Parameters(
            paramLabel = "CURRENT",
            arity = "0..1",
            description = "Experiment folder, folder:variant, or a table (CSV, JSON): a column a metric, a row a run.")
    private @Nullable String current;

    @Option(names = "--baseline", description = "The baseline of CURRENT: a folder, folder:variant or a table.")
    private @Nullable String baseline;

    @Option(names = "--tolerance", description = "YAML (peak: 5) or CSV (metric,tolerance), in per cent.")
    private @Nullable String tolerance;

    @Option(
            names = "--table",
            description = "CSV metric,current,baseline,tolerance, one figure a side; - is the standard input.")
    private @Nullable String table;

    @Option(
            names = "--calibrate",
            description = "Show how often the gate fails by chance: runs of one variant against themselves.")
    private boolean calibrate;

    @Option(
            names = "--allow-different",
            description = "Accept different protocols, loads, hosts or units, and mark them.")
    private boolean allowDifferent;

    @Option(
            names = "--until-decided",
            paramLabel = "EXPERIMENT.yaml",
            description =
                    "Run an experiment of two variants, the first one the baseline, until its gate is decided: at most 3"
                            + " looks.")
    private @Nullable Path untilDecided;

    @Mixin
    private final SessionOptions sessions = new SessionOptions();

    @Option(names = "--no-repeat", description = "With --until-decided: " + CourseOptions.NO_REPEAT)
    private boolean noRepeat;

    @Option(names = "--results", description = "Folder for what --until-decided records (results).")
    private Path results = Path.of("results");

    @Option(names = "--look", description = "Number of this look, if you gate while the data grows (1).")
    private int look = 1;

    @Option(names = "--looks", description = "Looks planned, at most 3: they share the error rate (1).")
    private int looks = 1;

    @Option(names = "--junit", description = "Also write JUnit XML.")
    private @Nullable Path junit;

    @Option(names = "--summary", description = "Also append GitHub-flavoured Markdown, as to $GITHUB_STEP_SUMMARY.")
    private @Nullable Path summary;

    @Mixin
    private final ConstantOptions constants = new ConstantOptions();

    @Mixin
    private final ResultConsole console = new ResultConsole();

    /** This makes the exit code of that of a verdict. */
    private IntUnaryOperator exit = IntUnaryOperator.identity();

    @Override
    public Integer call() {
        if (calibrate) {
            sessions.refuseWith("--calibrate");
            return calibrate(required(current, "the runs to calibrate on"));
        }
        GateResult result =
                untilDecided != null ? untilDecided(untilDecided) : table != null ? ofTable(table) : ofRuns();
        print(result);
        if (current != null && result.verdict() == Gate.Verdict.FAIL && Files.isDirectory(Path.of(current))) {
            console.next(NextStep.explain(Path.of(current)));
        }
        return exit.applyAsInt(code(result.verdict()));
    }

    private GateResult ofTable(String file) {
        sessions.refuseWith("--table");
        if (current != null || baseline != null || tolerance != null) {
            throw KilnException.usage(
                    "--table contains current, baseline and tolerance: give no runs, --baseline or --tolerance with it",
                    "");
        }
        return GateTable.read(Source.read(file));
    }

    static int code(Gate.Verdict verdict) {
        return switch (verdict) {
            case PASS -> 0;
            case FAIL -> Exit.PROBLEM.code();
            case INCONCLUSIVE -> INCONCLUSIVE;
            case UNDER_POWERED -> UNDER_POWERED;
        };
    }

    private GateResult ofRuns() {
        if (looks < 1 || looks > MOST_LOOKS || look < 1 || look > looks) {
            throw KilnException.usage(
                    "--look " + look + " --looks " + looks + ": expected 1 to " + MOST_LOOKS + " looks",
                    "plan the number of looks before the first one, and count from 1");
        }
        List<Tolerance> tolerances = tolerances();
        String ofBaseline = required(baseline, "--baseline");
        String ofCurrent = required(current, "the runs to compare with the baseline");
        Subjects subjects = new Subjects(constants.config(), console.err()).together(List.of(ofBaseline, ofCurrent));
        Configuration before = subjects.one(ofBaseline);
        Configuration now = subjects.one(ofCurrent);
        boolean alike = now.name().equals(before.name());
        List<Configuration> both =
                sessions.inOne(List.of(alike ? now.named(ofCurrent) : now, alike ? before.named(ofBaseline) : before));
        return new GateSides(tolerances, sessions.earlier(subjects, both), allowDifferent)
                .gate(both.getFirst(), both.getLast(), look, looks);
    }

    private GateResult untilDecided(Path experiment) {
        sessions.refuseWith("--until-decided");
        if (current != null || baseline != null || table != null || console.isJson()) {
            throw KilnException.usage(
                    "--until-decided runs baseline and current itself: give no runs and no \"--json -\" with it",
                    "kiln gate --until-decided EXPERIMENT.yaml --tolerance FILE");
        }
        List<Tolerance> tolerances = tolerances();
        Gates.requireKnown(tolerances);
        GateSides sides = new GateSides(tolerances, EarlierSessions.NONE, allowDifferent);
        Experiment wanted = ExperimentFile.read(experiment);
        Gates.requireCalls(tolerances, wanted.load().callNames());
        GateLooks looked = new GateLooks(sides, constants.config(), console, MOST_LOOKS);
        exit = looked::exit;
        return looked.run(noRepeat ? wanted.with(wanted.runs().withRepeats(false)) : wanted, new Outputs(results));
    }

    private List<Tolerance> tolerances() {
        return ToleranceFile.read(Source.read(required(tolerance, "--tolerance")));
    }

    private static String required(@Nullable String value, String what) {
        if (value == null) {
            throw KilnException.usage(
                    "missing: " + what,
                    "kiln gate --baseline B --tolerance tolerances.yaml CURRENT, or kiln gate --table FILE");
        }
        return value;
    }

    private void print(GateResult result) {
        console.print(() -> GateJson.render(result), () -> GateText.terminal(result, console.style()));
        if (junit != null) {
            TextFiles.writeNamed(junit, GateText.junit(result));
        }
        if (summary != null) {
            TextFiles.appendNamed(summary, GateText.markdown(result));
        }
    }

    private int calibrate(String subject) {
        AnalysisConfig config = constants.config();
        List<Tolerance> tolerances = tolerances();
        List<Calibration> all = new Subjects(config, console.err())
                .all(List.of(subject)).stream()
                        .map(one -> Calibration.of(one, tolerances, config))
                        .toList();
        boolean any = all.stream().flatMap(one -> one.rows().stream()).anyMatch(row -> row.runs() > 0);
        console.print(() -> GateJson.render(all), () -> GateText.calibration(all, console.style()));
        return any ? 0 : INCONCLUSIVE;
    }

    /** A GateTable is read as {@code metric,current,baseline,tolerance}: one figure a side, by the point rule. */
    private static final class GateTable {
        private GateTable() {}

        static GateResult read(Source source) {
            CsvTable table = CsvTable.parse(source);
            int metric = table.column("metric");
            int current = table.column("current");
            int baseline = table.column("baseline");
            int tolerance = table.column("tolerance");
            List<GateRow> rows = table.rows().stream()
                    .map(row -> {
                        String name = row.cells().get(metric);
                        return Gates.point(
                                name,
                                Decimal.positive(
                                        table.file(),
                                        row.line(),
                                        name + ", current",
                                        row.cells().get(current)),
                                Decimal.positive(
                                        table.file(),
                                        row.line(),
                                        name + ", baseline",
                                        row.cells().get(baseline)),
                                Decimal.tolerance(
                                        table.file(),
                                        row.line(),
                                        name,
                                        row.cells().get(tolerance)));
                    })
                    .toList();
            return new GateResult("current", "baseline", rows, 1, 1, List.of());
        }
    }
}
