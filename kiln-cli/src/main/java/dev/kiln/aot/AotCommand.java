package dev.kiln.aot;

import dev.kiln.console.NextStep;
import dev.kiln.console.Outputs;
import dev.kiln.console.ResultConsole;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.Programs;
import dev.kiln.jvm.AotCheck;
import dev.kiln.jvm.AotFlags;
import dev.kiln.jvm.AotRecording;
import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.jvm.LiveJvms;
import dev.kiln.model.AotSight;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.JvmOptions;
import dev.kiln.model.experiment.Target.AotCache;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.plan.Changes;
import dev.kiln.plan.FlagExperiment;
import dev.kiln.plan.ServiceFlag;
import dev.kiln.plan.text.DurationText;
import dev.kiln.run.LabSession;
import dev.kiln.runner.AotTrainer.OwnTraining;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kiln aot} makes and checks AOT caches outside an experiment. */
@Command(
        name = "aot",
        description = "Asks a JVM whether it accepts an AOT cache, or makes one.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "(check | train)",
        subcommands = {AotCommand.CheckCommand.class, AotCommand.TrainCommand.class})
public final class AotCommand implements Callable<Integer> {
    private static final String CACHE = "-XX:AOTCache=";

    @Override
    public Integer call() {
        throw KilnException.usage(
                "kiln aot needs 'check' or 'train'", "kiln aot check -- java -XX:AOTCache=FILE -jar app.jar");
    }

    /** Returns the JDK that {@code kiln run} would launch this command with. */
    private static Jdk jdk(List<String> command) {
        if (command.isEmpty() || !JvmOptions.isJava(command.getFirst())) {
            throw KilnException.usage(
                    command.isEmpty() ? "no command" : "'" + command.getFirst() + "' is not java",
                    "give the command that starts the JVM: -- java ... -jar app.jar; --pid PID takes a running one");
        }
        String program = command.getFirst();
        Path java = program.contains("/")
                ? Path.of(program)
                : Programs.inPath(program, Optional.empty(), Map.of()).orElseThrow(JdkFinder::notInPath);
        return JdkFinder.of(java)
                .orElseThrow(() -> KilnException.usage(
                        "there is no JDK around " + java,
                        "name the java of a JDK by its path; kiln jdks lists those of this machine"));
    }

    private static int told(ResultConsole console, AotSight check, List<NextStep> next) {
        console.print(() -> AotVerdict.json(check), () -> AotVerdict.text(check));
        console.next(next.toArray(NextStep[]::new));
        return Exit.ofRun(check.accepted());
    }

    /** {@code kiln aot check} tells whether a JVM accepts a cache. */
    @Command(
            name = "check",
            description = {
                "Says whether a JVM accepts the AOT cache that its command names, and why not.",
                "",
                "It starts the JVM with the command and --dry-run, which ends it before the program's own code runs. A"
                        + " plain 'java' is that of the PATH."
            },
            mixinStandardHelpOptions = true,
            customSynopsis = {
                "kiln aot check [--json FILE] -- java -XX:AOTCache=FILE ...",
                "       kiln aot check [--json FILE] --pid PID"
            },
            footer = {
                "",
                "Exit codes: 0 accepted; 1 rejected, or there is none; 2 wrong usage; 3 the JVM cannot be asked from here."
            })
    static final class CheckCommand implements Callable<Integer> {
        @Option(names = "--pid", paramLabel = "PID", description = "A running JVM in place of a command.")
        private @Nullable Long pid;

        @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "What starts the JVM.")
        private List<String> command = List.of();

        @Mixin
        private final ResultConsole console = new ResultConsole();

        @Override
        public Integer call() {
            if (pid != null && !command.isEmpty()) {
                throw KilnException.usage("both --pid and a command were given", "give one of them");
            }
            AotSight check = pid == null
                    ? AotCheck.of(jdk(command), command, Path.of("").toAbsolutePath(), System.getenv())
                    : running(pid);
            return told(console, check, pid == null ? AotVerdict.next(check, command) : List.of(NextStep.doctor(pid)));
        }

        private static AotSight running(long pid) {
            ProcFs fs = ProcFs.ofThisMachine();
            return AotCheck.ofRunning(fs, new LiveJvms(fs).itself(pid).pid());
        }
    }

    /** {@code kiln aot train} makes a cache. */
    @Command(
            name = "train",
            description = {
                "Makes an AOT cache: records a run of the command, and lets a JVM assemble the cache.",
                "",
                "With --url the run is loaded as by 'kiln run', for the time that --for gives. With --load a command of yours"
                        + " loads it. Without either the program does what it does, until it ends, --for is over, or"
                        + " --ready shows that it has started.",
                "",
                "With --pid it ends the recording of a JVM that runs with -XX:AOTCacheOutput, after the time that --for gives."
                        + " The program goes on."
            },
            sortOptions = false,
            mixinStandardHelpOptions = true,
            customSynopsis = {
                "kiln aot train --out FILE [--url URL --for 20s] -- java ...",
                "       kiln aot train --out FILE [--ready URL] [--load 'COMMAND' | --for 20s] -- java ...",
                "       kiln aot train --out FILE [--for 20s] --pid PID",
            },
            footer = {
                "",
                "Exit codes: 0 the JVM accepts it; 1 it could not be made, or is not accepted; 2 wrong usage; 3 this machine cannot; 130 interrupted."
            })
    static final class TrainCommand implements Callable<Integer> {
        @Option(names = "--out", required = true, paramLabel = "FILE", description = "The cache to write.")
        private Path out = Path.of("app.aot");

        @Option(
                names = "--for",
                paramLabel = "TIME",
                description =
                        "Length of the load (20s); without a load, when the program is told to end; with --pid, when the"
                                + " recording is.")
        private @Nullable String time;

        @Option(
                names = {"-c", "--connections"},
                description = "Of the load (50).")
        private Optional<Integer> connections = Optional.empty();

        @Option(
                names = "--url",
                description = "Where the load goes; $${port} stands for a free port that Kiln chooses.")
        private Optional<String> url = Optional.empty();

        @Option(
                names = "--ready",
                description =
                        "What shows that it has started: a URL, port:8080 or log:REGEX (with --url: its first good response).")
        private Optional<String> ready = Optional.empty();

        @Option(
                names = "--load",
                paramLabel = "COMMAND",
                description =
                        "A command of the shell that sends the load, in place of Kiln's; the training ends with it.")
        private Optional<String> load = Optional.empty();

        @Option(names = "--pid", paramLabel = "PID", description = "A running JVM in place of a command.")
        private @Nullable Long pid;

        @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "What starts the program.")
        private List<String> command = List.of();

        @Mixin
        private final ResultConsole console = new ResultConsole();

        @Override
        public Integer call() {
            Optional<Duration> length = Optional.ofNullable(time).map(given -> DurationText.option("--for", given));
            refuseContraries(length.isPresent());
            if (pid != null) {
                return told(console, running(pid, length), List.of(NextStep.doctor(pid)));
            }
            Optional<ReadySign> start = url.isPresent() ? Optional.empty() : ready.map(FlagExperiment::ready);
            Jdk jdk = jdk(command);
            if (jdk.feature() > 0 && jdk.feature() < AotFlags.SINCE) {
                throw KilnException.usage(
                        "JDK " + jdk.version() + " makes no AOT cache with profiles",
                        "use JDK " + AotFlags.SINCE + " or later: kiln jdks lists those of this machine");
            }
            List<String> words = new ArrayList<>(command);
            words.set(0, jdk.java().toString());
            if (words.stream().anyMatch(word -> word.startsWith(CACHE))) {
                throw KilnException.usage("the command already has an AOT cache", "leave " + CACHE + "... out of it");
            }
            LabSession session = new LabSession(console, new Outputs().secrets());
            int exit = session.run(() -> session.work(() -> made(session, words, new OwnTraining(start, load, length)))
                    .exit(0));
            if (exit != 0) {
                return exit;
            }
            List<String> plain = List.copyOf(words);
            words.add(1, CACHE + out);
            AotSight check = AotCheck.of(
                    jdk,
                    words.stream().map(word -> word.replace("${port}", "0")).toList(),
                    Path.of("").toAbsolutePath(),
                    System.getenv());
            return told(
                    console,
                    check,
                    check.accepted() ? List.of(AotVerdict.starts(plain, words, url.or(() -> ready))) : List.of());
        }

        private void refuseContraries(boolean timed) {
            if (url.isEmpty() && connections.isPresent()) {
                throw KilnException.usage(
                        "--connections needs --url: they are those of Kiln's own load",
                        "give --url too, or leave them out");
            }
            if (load.isPresent() && (url.isPresent() || timed || pid != null)) {
                throw KilnException.usage(
                        "--load was given with " + (pid != null ? "--pid" : url.isPresent() ? "--url" : "--for"),
                        "give one of them: the training ends with the command of --load");
            }
        }

        private AotSight running(long process, Optional<Duration> length) {
            if (!command.isEmpty() || url.isPresent() || ready.isPresent()) {
                throw KilnException.usage(
                        "--pid was given with "
                                + (!command.isEmpty() ? "a command" : url.isPresent() ? "--url" : "--ready"),
                        "give --pid for a program that runs already, and the other for one that Kiln starts");
            }
            ProcFs fs = ProcFs.ofThisMachine();
            Path folder = out.toAbsolutePath().getParent();
            if (folder != null) {
                Outputs.make(folder, "--out");
            }
            try (AotRecording recording =
                    AotRecording.of(fs, new LiveJvms(fs).itself(process).pid())) {
                length.ifPresent(recording::goOn);
                console.err().println("kiln: ending the recording of process " + process);
                recording.end(out);
                return recording.check(out);
            }
        }

        /** Makes the cache and moves it to the named file. Its recording and logs stay beside it. */
        private boolean made(LabSession session, List<String> words, OwnTraining own) {
            Path folder = out.resolveSibling(out.getFileName() + ".training");
            Outputs.makeOwn(folder, "--out");
            Path made = url.isPresent()
                    ? session.cache(experiment(url.get(), words, own.length()), folder)
                    : session.cache(words, own, folder);
            try {
                Files.move(made, out, StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException e) {
                throw KilnException.machine(e, "cannot write " + out, "name another file: --out FILE");
            }
            return true;
        }

        private Experiment experiment(String to, List<String> words, Optional<Duration> length) {
            Experiment plain = new FlagExperiment(
                            Path.of("").toAbsolutePath(), words, "kiln aot train --help lists the options")
                    .with(ServiceFlag.NAME, "aot")
                    .with(ServiceFlag.READY, ready)
                    .with(ServiceFlag.URL, to)
                    .with(ServiceFlag.CONNECTIONS, Integer.toString(connections.orElse(50)))
                    .toExperiment();
            Change trained = Change.with(new AotCache.Traffic(length.orElse(Duration.ofSeconds(20))));
            return plain.with(plain.variants().stream()
                    .map(variant -> Changes.of(variant, variant.name(), trained))
                    .toList());
        }
    }
}
