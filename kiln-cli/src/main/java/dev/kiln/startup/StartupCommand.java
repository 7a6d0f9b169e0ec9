package dev.kiln.startup;

import dev.kiln.console.Console;
import dev.kiln.console.NextStep;
import dev.kiln.console.Outputs;
import dev.kiln.console.ResultConsole;
import dev.kiln.console.TextFiles;
import dev.kiln.evidence.StartTableReader;
import dev.kiln.evidence.StudyFile;
import dev.kiln.host.process.Trees;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.StartupSpec;
import dev.kiln.model.experiment.Variant.Observe;
import dev.kiln.plan.ExperimentFile;
import dev.kiln.plan.StartupFlags;
import dev.kiln.plan.StartupFlags.Commands;
import dev.kiln.plan.StartupFlags.Conditions;
import dev.kiln.plan.StartupFlags.EndFlags;
import dev.kiln.plan.StartupFlags.PairFlags;
import dev.kiln.run.LabSession;
import dev.kiln.run.LabSession.WorkEnding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kiln startup} compares the start-up of commands, interleaved. */
@Command(
        name = "startup",
        description =
                "Compares the start-up of commands, JVMs or any program, in pairs A B A B ... or rounds A B C A B C ...,"
                        + " each with the first. A start lasts until the program ends, opens a port, answers a URL or"
                        + " prints a line.",
        mixinStandardHelpOptions = true,
        customSynopsis = {
            "kiln startup [OPTIONS] 'COMMAND A' 'COMMAND B' ['COMMAND C' ...]",
            "       kiln startup [OPTIONS] EXPERIMENT.yaml",
            "       kiln startup --table FILE|DIR [--discard N] [--csv | --markdown | --json -]"
        })
public final class StartupCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "COMMAND | EXPERIMENT.yaml",
            arity = "0..*",
            description =
                    "Each with its arguments in one pair of quotes; no shell runs it. $${port} stands for a free port"
                            + " that Kiln chooses. Or one experiment file, whose variants are compared; or one folder that kiln startup wrote.")
    private List<String> commands = List.of();

    @Option(
            names = {"-n", "--name"},
            description = "Names of the commands, one each, in their order (A, B, ...).")
    private List<String> names = List.of();

    @Option(names = "--pairs", description = "Pairs or rounds that count (10).")
    private Optional<Integer> pairs = Optional.empty();

    @Option(names = "--discard", description = "Pairs or rounds before them that do not count (1; of a --table 0).")
    private Optional<Integer> discard = Optional.empty();

    @Option(names = "--seed", description = "Seed of the order in each pair or round (default: A B C ...).")
    private Optional<Long> seed = Optional.empty();

    @Option(
            names = "--ready",
            description =
                    "What ends a start: exit, http://HOST:PORT/PATH, port:N, log:REGEX (exit; with --log its line).")
    private Optional<String> ready = Optional.empty();

    @Option(
            names = "--log",
            paramLabel = "REGEX",
            description =
                    "Compare the number in the first group of this expression instead of the time, as in 'Booted .* in (\\d+) ms'.")
    private Optional<String> log = Optional.empty();

    @Option(names = "--unit", description = "Unit of that number, if the line has none.")
    private Optional<String> unit = Optional.empty();

    @Option(names = "--ready-timeout", description = "How long a start may take (120s).")
    private Optional<String> timeout = Optional.empty();

    @Option(names = "--cpus", description = "CPUs of the commands, as 0 or 0-3 (half of them, 4 at most).")
    private Optional<String> cpus = Optional.empty();

    @Option(names = "--cold", description = "Drop the page cache before each start; needs root.")
    private boolean cold;

    @Option(
            names = {"-i", "--ignore-failure"},
            description = "Accept any exit code of the commands.")
    private boolean ignoreFailure;

    @Option(
            names = "--table",
            paramLabel = "FILE|DIR",
            description = "Render recorded results, or a CSV with the columns Run,A,B,...")
    private Optional<Path> table = Optional.empty();

    @Option(names = "--effect", description = "The change in %% that the number of pairs needed refers to (5).")
    private double effectPercent = 5;

    @Option(names = "--csv", description = "Print only the table, as CSV.")
    private boolean csv;

    @Option(names = "--markdown", description = "Print Markdown.")
    private boolean markdown;

    @Option(names = "--verbose", description = "Also print each start, and all ratios with their intervals.")
    private boolean verbose;

    @Mixin
    private final Outputs outputs = new Outputs();

    @Option(names = "--keep-secrets", description = Outputs.KEEP_SECRETS)
    void keepSecrets(boolean keep) {
        outputs.keepSecrets(keep);
    }

    @Mixin
    private final ResultConsole console = new ResultConsole();

    @Override
    public Integer call() {
        console.requireOneDocument("--csv", "--markdown");
        if (!(effectPercent > 0) || Double.isInfinite(effectPercent)) {
            throw KilnException.usage("--effect: found " + effectPercent, "give a percentage above 0");
        }
        StartupSession.Rendering rendering =
                new StartupSession.Rendering(console, csv, markdown, verbose, effectPercent / 100);
        if (table.isPresent() && !commands.isEmpty()) {
            throw KilnException.usage("both --table and commands were given", "give one of them");
        }
        Optional<Path> recorded = table.or(this::folder);
        if (recorded.isPresent()) {
            rendering.table(recorded.get(), discard.orElse(0));
            return 0;
        }
        StartupFlags flags = new StartupFlags(
                Path.of("").toAbsolutePath(),
                new Commands(commands, names),
                new EndFlags(ready, log, unit, timeout),
                new PairFlags(pairs, discard, seed),
                new Conditions(cpus, cold, ignoreFailure));
        StartupSession session = new StartupSession(console, outputs, rendering);
        boolean file = commands.size() == 1 && commands.getFirst().matches("\\S+\\.ya?ml");
        return file ? session.run(flags, ExperimentFile.read(Path.of(commands.getFirst()))) : session.run(flags);
    }

    /** One folder is no command, and no comparison of two: it is what was recorded. */
    private Optional<Path> folder() {
        return commands.stream()
                .filter(word -> commands.size() == 1)
                .map(Path::of)
                .filter(Files::isDirectory)
                .findFirst();
    }

    /** A StartupSession runs a start-up comparison from the first start to the printed result, whatever ends it. */
    static final class StartupSession {
        private final Rendering rendering;
        private final Outputs outputs;

        /** The folder is empty before the first start is due: a build may fail before. */
        private Optional<Path> made = Optional.empty();

        private final LabSession session;

        StartupSession(Console console, Outputs outputs, Rendering rendering) {
            this.rendering = rendering;
            this.outputs = outputs;
            session = new LabSession(console, outputs.secrets());
        }

        int run(StartupFlags flags) {
            return session.run(() -> runToEnd(flags.toSpec(), Optional.empty()));
        }

        /** Compares the variants of an experiment file, of which only the start is observed. */
        int run(StartupFlags flags, Experiment wanted) {
            return session.run(() -> {
                Experiment experiment = session.resolved(wanted).with(Observe.NOTHING);
                return runToEnd(flags.toSpec(experiment), Optional.of(experiment));
            });
        }

        private int runToEnd(StartupSpec spec, Optional<Experiment> experiment) {
            WorkEnding ending = session.work(() -> session.withLab(spec.cpus(), lab -> {
                experiment.ifPresent(session::build);
                Path directory = outputs.fresh("startup");
                made = Optional.of(directory);
                return session.starts(lab, spec, experiment, directory).run();
            }));
            Optional<Path> recorded = made.filter(StudyFile.STARTUP::exists);
            if (ending == WorkEnding.INTERRUPTED) {
                session.interrupted(recorded.map(folder -> "; what was recorded is in " + folder)
                        .orElse(" before the first start; nothing was recorded"));
                made.filter(folder -> recorded.isEmpty()).ifPresent(StartupSession::forget);
            }
            recorded.ifPresent(rendering::recorded);
            return ending.exit(0);
        }

        /** Deletes the folder of no start, with the logs of what was to come before. */
        private static void forget(Path folder) {
            try {
                Trees.delete(folder);
            } catch (IOException e) {
                // What is left there says for itself that it has no start.
                return;
            }
        }

        /** A Rendering prints a start-up comparison in the form that was asked for. */
        record Rendering(ResultConsole console, boolean csv, boolean markdown, boolean verbose, double effect) {
            private StartupAssessment assessment() {
                return new StartupAssessment(effect);
            }

            /** Prints the comparison in a CSV file, or in a folder that an earlier comparison wrote. */
            void table(Path path, int discard) {
                print(
                        Files.isDirectory(path)
                                ? assessment().of(StudyFile.STARTUP.read(path))
                                : assessment().of(StartTableReader.read(path), discard));
            }

            /** Prints a comparison that was just recorded, and writes its table beside the evidence. */
            void recorded(Path directory) {
                StartupResult result = assessment().of(StudyFile.STARTUP.read(directory));
                TextFiles.write(directory.resolve("startup.csv"), StartupReport.csv(result));
                print(result);
                if (!csv && !markdown) {
                    console.next(NextStep.serve(directory.resolveSibling("")));
                }
            }

            private void print(StartupResult result) {
                console.print(() -> StartupJson.render(result), () -> text(result));
            }

            private String text(StartupResult result) {
                if (csv) {
                    return StartupReport.csv(result);
                }
                return markdown
                        ? StartupReport.markdown(result, verbose)
                        : StartupReport.terminal(result, verbose, console.style());
            }
        }
    }
}
