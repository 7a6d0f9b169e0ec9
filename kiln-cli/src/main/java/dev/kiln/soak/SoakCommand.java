package dev.kiln.soak;

import dev.kiln.console.NextStep;
import dev.kiln.console.Outputs;
import dev.kiln.console.ResultConsole;
import dev.kiln.console.TextFiles;
import dev.kiln.files.InputFile;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.PlannedRun;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.plan.AttachRules;
import dev.kiln.plan.text.DurationText;
import dev.kiln.report.Listed.StudyKind;
import dev.kiln.report.html.HtmlReport;
import dev.kiln.run.ExperimentOptions;
import dev.kiln.run.LabSession;
import dev.kiln.run.LabSession.WorkEnding;
import dev.kiln.soak.SoakPlan.SoakSegment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.IntSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kiln soak} keeps one variant under load for hours. */
@Command(
        name = "soak",
        description = {
            "Watches one variant under load for hours: memory leaks, drift of throughput and response time, steady state,"
                    + " error budget.",
            "",
            "Takes the options of kiln run; --runs has no effect here. Without --duration it takes as long as the only load of"
                    + " the protocol."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true,
        customSynopsis = {
            "kiln soak [--duration 3h] EXPERIMENT.yaml",
            "       kiln soak --duration 3h --url URL [OPTIONS] -- COMMAND ARGS...",
            "       kiln soak --resume RESULTS/DIR"
        })
public final class SoakCommand implements Callable<Integer> {
    @Mixin
    private final ExperimentOptions options = new ExperimentOptions(" --duration 3h");

    @Mixin
    private final ResultConsole console = new ResultConsole();

    private static final Pattern PERCENT = Pattern.compile("\\s*(\\d{1,3}(?:\\.\\d{1,6})?)\\s*%\\s*");

    @Option(
            names = "--duration",
            description = "Length of the load, such as 3h (that of the only load of the protocol).")
    private @Nullable String duration;

    @Option(names = "--error-budget", paramLabel = "SHARE", description = "Share of requests that may fail (0.1%%).")
    private String errorBudget = "0.1%";

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description = "Continue an interrupted soak, or render a finished one again.")
    private @Nullable Path resume;

    @Override
    public Integer call() {
        if (resume != null) {
            return resumed(resume);
        }
        Experiment wanted = experiment();
        double seconds =
                (duration == null ? planned(wanted) : DurationText.option("--duration", duration)).toNanos() / 1e9;
        SoakPlan plan = new SoakPlan(
                SoakPlan.SCHEMA_VERSION,
                options.outputs().secrets().command(arguments()),
                here(),
                seconds,
                SoakPlan.windowSeconds(seconds),
                errorBudget());
        return new SoakSession(console, options.outputs()).start(wanted, plan);
    }

    /** Returns the length of the file's load, if it has one load with a length of its own. */
    private Duration planned(Experiment wanted) {
        Protocol protocol = wanted.protocol();
        if (protocol.phases().size() == 1
                && protocol.loads().size() == 1
                && protocol.reference().isEmpty()
                && !protocol.endsEarly()) {
            return protocol.duration();
        }
        throw KilnException.usage(
                "no --duration",
                "say how long, such as --duration 3h, or with a protocol of one load: [{load: 3h}]; or --resume DIR");
    }

    /** Continues a soak with the options that it was begun with, which are parsed again; returns the exit code. */
    private int resumed(Path folder) {
        SoakPlan plan = SoakPlan.FILE.read(folder);
        if (!plan.directory().equals(here())) {
            throw KilnException.usage(
                    "the soak in " + folder + " was started in " + plan.directory()
                            + ", and its paths are relative to that",
                    "go there first: cd " + plan.directory());
        }
        if (Secrets.hiddenIn(plan.arguments())) {
            throw KilnException.usage(
                    "the soak in " + folder + " was given a password or token, and Kiln did not keep it",
                    "begin a soak with --keep-secrets, or give its service its secrets in a file");
        }
        Experiment experiment = begun(plan, folder).experiment();
        if (AttachRules.attaches(experiment.variants())) {
            throw KilnException.usage(
                    "the soak in " + folder
                            + " attached to a process that ran already, and nobody knows whether that is still"
                            + " the same",
                    "begin a new soak");
        }
        return new SoakSession(console, options.outputs()).resume(experiment, plan, folder);
    }

    /** Returns the command that began the soak. */
    private static SoakCommand begun(SoakPlan plan, Path folder) {
        SoakCommand begun = new SoakCommand();
        try {
            new CommandLine(begun)
                    .setInterpolateVariables(false)
                    .setExpandAtFiles(false)
                    .parseArgs(plan.arguments().toArray(String[]::new));
        } catch (CommandLine.ParameterException e) {
            throw KilnException.usage(
                    "the arguments in " + folder.resolve(StudyKind.SOAK.file()) + " are none of kiln soak: "
                            + e.getMessage(),
                    "begin a new soak, or go on with the Kiln that wrote it",
                    e);
        }
        return begun;
    }

    /** Refuses to start the command in a folder that others can write: it would run with the rights of this user. */
    private static void requireOwn(Path folder) {
        for (Path each : List.of(folder, folder.resolve(StudyKind.SOAK.file()))) {
            Optional<String> others;
            try {
                others = InputFile.othersCanWrite(each);
            } catch (IOException e) {
                throw KilnException.usage(e, "cannot tell who may have written " + each, "begin a new soak");
            }
            if (others.isPresent()) {
                throw KilnException.usage(
                        "others may have written " + each + " (" + others.get()
                                + "), and the soak's command would run with your rights",
                        "begin a new soak; or read the command in it, then make the folder yours: chown -R $USER and chmod -R go-w");
            }
        }
    }

    private Experiment experiment() {
        options.refuse("--observer-effect", "use kiln run");
        options.refuse("--live", "kiln serve shows the folder given to --results while it grows");
        Experiment wanted = options.wanted();
        if (wanted.variants().size() != 1) {
            throw KilnException.usage(
                    wanted.name() + " has " + wanted.variants().size() + " variants",
                    "a soak watches one: leave --variant out, or give --only-variants with one");
        }
        return wanted;
    }

    private double errorBudget() {
        Matcher percent = PERCENT.matcher(errorBudget);
        double share = percent.matches() ? Double.parseDouble(percent.group(1)) / 100 : 1;
        if (share >= 1) {
            throw KilnException.usage(
                    "--error-budget: found '" + errorBudget + "', expected a percentage below 100",
                    "write it as --error-budget 0.1%");
        }
        return share;
    }

    private List<String> arguments() {
        List<String> all = console.parsed().originalArgs();
        return !all.isEmpty() && all.getFirst().equals("soak") ? all.subList(1, all.size()) : all;
    }

    private static String here() {
        return Path.of("").toAbsolutePath().normalize().toString();
    }

    /** A SoakSession runs a soak from its first or its next segment to the printed result, whatever ends it. */
    private static final class SoakSession {

        /** A soak must last for at least one window: a shorter one shows nothing. */
        private static final double LEAST_SECONDS = 1;

        private final ResultConsole console;
        private final Outputs outputs;
        private final LabSession lab;

        SoakSession(ResultConsole console, Outputs outputs) {
            this.console = console;
            this.outputs = outputs;
            this.lab = new LabSession(console, outputs.secrets());
        }

        int start(Experiment wanted, SoakPlan plan) {
            Path folder = outputs.fresh(wanted.name() + "-soak");
            SoakPlan.FILE.write(folder, plan);
            return alone(folder, () -> measured(wanted, plan, folder, plan.durationSeconds(), 1));
        }

        /** Continues for the time that is left; only renders the result again if none is. */
        int resume(Experiment wanted, SoakPlan plan, Path folder) {
            return alone(folder, () -> {
                List<SoakSegment> before = SoakReader.read(folder, plan.windowSeconds());
                double left = plan.durationSeconds() - SoakReader.seconds(before);
                if (left < Math.max(LEAST_SECONDS, plan.windowSeconds())) {
                    return report(wanted, plan, folder);
                }
                requireOwn(folder);
                return measured(wanted, plan, folder, left, SoakReader.next(before));
            });
        }

        /** What is there is read while no other Kiln works there: it could have gone on meanwhile. */
        private int alone(Path folder, IntSupplier work) {
            return lab.run(() -> Outputs.alone(folder, work));
        }

        private int measured(Experiment wanted, SoakPlan plan, Path folder, double seconds, int segment) {
            WorkEnding ending = lab.work(() -> segment(wanted, folder, seconds, segment));
            if (ending == WorkEnding.INTERRUPTED) {
                lab.interrupted("; to continue: kiln soak --resume " + folder);
            }
            return ending.exit(report(wanted, plan, folder));
        }

        private boolean segment(Experiment wanted, Path folder, double seconds, int number) {
            Phase soak = new Phase.Load("soak", Duration.ofMillis(Math.round(seconds * 1000)));
            Experiment experiment = lab.resolved(wanted)
                    .with(new Protocol("soak", List.of(soak)))
                    .withoutClosing()
                    .with(Runs.fixed(1).withRepeats(false));
            PlannedRun run =
                    new PlannedRun(number, number, experiment.variants().getFirst());
            return lab.withRunner(experiment, folder, runner -> runner.run(List.of(run), block -> false));
        }

        private int report(Experiment wanted, SoakPlan plan, Path folder) {
            SoakResult result =
                    new SoakAssessment().of(wanted.name(), plan, SoakReader.read(folder, plan.windowSeconds()));
            TextFiles.write(folder.resolve(HtmlReport.FILE), SoakReport.page(result));
            TextFiles.write(folder.resolve("soak-result.json"), SoakJson.render(result));
            TextFiles.write(folder.resolve("soak.md"), SoakReport.markdown(result));
            console.print(
                    () -> SoakJson.render(result),
                    () -> SoakReport.terminal(result, console.style()) + HtmlReport.where(folder));
            console.next(NextStep.serve(folder.resolveSibling("")));
            return Exit.ofRun(result.answer().problems().isEmpty());
        }
    }
}
