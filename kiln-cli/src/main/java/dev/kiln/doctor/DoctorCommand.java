package dev.kiln.doctor;

import dev.kiln.console.NextStep;
import dev.kiln.console.ResultConsole;
import dev.kiln.doctor.DoctorFeed.Ways;
import dev.kiln.doctor.DoctorSession.DoctorOptions;
import dev.kiln.doctor.DoctorVisit.Questions;
import dev.kiln.doctor.DoctorVisit.Sleep;
import dev.kiln.doctor.Watch.DoctorSubject;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.OrphanRegistry;
import dev.kiln.jvm.LiveJvms;
import dev.kiln.model.KilnException;
import dev.kiln.model.LiveProcess;
import dev.kiln.plan.text.DurationText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kiln doctor} diagnoses a running JVM without a restart. */
@Command(
        name = "doctor",
        description = "Says whether a running JVM is warm, and if not, why. Without a PID: all JVMs that Kiln can see.",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Exit codes: 0 warm; 6 warming up; 7 starved of CPU; 8 cannot tell (idle, died, or cannot be inspected)."
        })
public final class DoctorCommand implements Callable<Integer> {
    private static final Duration SHORTEST = Duration.ofSeconds(2);

    @Parameters(
            paramLabel = "PID",
            arity = "0..1",
            description =
                    "Process id on this machine, also of a JVM in a container; or kube:NAMESPACE/POD[/CONTAINER].")
    private @Nullable String pid;

    @Mixin
    private final JvmName jvm = new JvmName();

    @Option(names = "--for", paramLabel = "TIME", description = "How long to watch (10s; 2s for a list).")
    private @Nullable String length;

    @Option(names = "--container", paramLabel = "ID", description = "The JVM in this container, instead of a PID.")
    private @Nullable String container;

    @Option(names = "--only", description = "The one JVM that Kiln can see, as in a pod; waits until there is one.")
    private boolean only;

    @Option(
            names = "--no-ask",
            description = "Only watch: ask the JVM nothing over its attach socket, so that nothing in it stops.")
    private boolean noAsk;

    @Option(
            names = "--no-thread-dumps",
            description = "Do not dump its threads, which is done three times in the time of --for.")
    private boolean noThreadDumps;

    @Option(
            names = "--save",
            paramLabel = "DIR",
            description = "Keep the evidence in DIR, for kiln report and explain.")
    private @Nullable Path save;

    @Option(names = "--until-warm", description = "Return when it is warm.")
    private boolean untilWarm;

    @Option(names = "--timeout", paramLabel = "TIME", description = "Longest wait of --until-warm and --fix (10m).")
    private String timeout = "10m";

    @Option(names = "--watch", description = "Show a live screen; without a terminal, a line every ten seconds.")
    private boolean watch;

    @Option(
            names = "--metrics",
            paramLabel = "[HOST]:PORT",
            description = "Serve /metrics (OpenMetrics) and /ready (200 when warm, else 503): at :9404 to this machine,"
                    + " at 0.0.0.0:9404 to others too.")
    private @Nullable String metrics;

    @Option(
            names = "--otlp",
            paramLabel = "URL",
            description = "Send the same metrics to an OpenTelemetry collector every 10 s, as http://localhost:4318.")
    private @Nullable String otlp;

    @Option(
            names = "--all",
            description = "Look at every JVM of this machine; with --metrics or --otlp in turns, until Kiln is ended.")
    private boolean all;

    @Option(names = "--every", paramLabel = "TIME", description = "Time of a round of --all over all JVMs (30s).")
    private String every = "30s";

    @Option(
            names = "--fix",
            paramLabel = "REMEDY",
            description =
                    "Apply renice, compile-in-foreground or both (a comma between) until the JVM is warm, then undo it.")
    private @Nullable String fix;

    @Option(
            names = "--fix-for",
            paramLabel = "TIME",
            description = "Apply it for this time instead of until the JVM is warm.")
    private @Nullable String fixFor;

    @Option(names = "--yes", description = "Apply it without asking.")
    private boolean yes;

    @Mixin
    private final ResultConsole console = new ResultConsole();

    @Override
    public Integer call() {
        List<String> given = given();
        if (given.size() > 1) {
            throw KilnException.usage(String.join(" and ", given) + " were given together", "give one of them");
        }
        OptionalInt elsewhere = jvm.elsewhere(Optional.ofNullable(pid), console);
        return elsewhere.isPresent() ? elsewhere.getAsInt() : here(given);
    }

    private int here(List<String> given) {
        OrphanRegistry.folder()
                .map(UndoNote::leftovers)
                .orElse(List.of())
                .forEach(done -> console.err().println("kiln: " + done));
        if (given.isEmpty() || all) {
            refuseWithoutPid();
            return all(new DoctorRounds(ProcFs.ofThisMachine(), length("2s")));
        }
        LiveProcess process = process(new LiveJvms(ProcFs.ofThisMachine()));
        boolean session = untilWarm || watch || feed().any();
        DoctorVisit visit = new DoctorVisit(
                console,
                new Questions(!noAsk, !noAsk && !noThreadDumps),
                fix == null && !session ? Optional.ofNullable(save) : Optional.empty());
        if (fix != null) {
            return new DoctorFix(console, yes).run(process, DoctorFix.parse(fix), visit, length("10s"), options());
        }
        return session
                ? new DoctorSession(console, options(), Optional.empty()).run(process)
                : visit.once(process, length("10s"));
    }

    private LiveProcess process(LiveJvms jvms) {
        if (only) {
            return only(jvms);
        }
        if (container != null) {
            return jvms.inContainer(container);
        }
        return jvms.of(pid == null ? 0 : JvmName.pid(pid));
    }

    private LiveProcess only(LiveJvms jvms) {
        List<LiveProcess> found = jvms.all();
        if (found.isEmpty()) {
            console.err().println("kiln: waits for a JVM");
            console.err().flush();
        }
        while (found.isEmpty() && Sleep.of(Duration.ofSeconds(1))) {
            found = jvms.all();
        }
        if (found.size() != 1) {
            throw KilnException.usage(
                    "--only: " + found.size() + " JVMs can be seen from here",
                    "give the PID of one: kiln doctor alone lists the JVMs with their pids");
        }
        return found.getFirst();
    }

    /** Returns the ways to choose JVMs that the command line has. */
    private List<String> given() {
        return Stream.of(
                        pid == null ? "" : "a PID",
                        container == null ? "" : "--container",
                        only ? "--only" : "",
                        all ? "--all" : "")
                .filter(way -> !way.isEmpty())
                .toList();
    }

    private DoctorOptions options() {
        boolean waits = untilWarm || (fix != null && fixFor == null);
        Optional<Duration> end = fixFor != null
                ? Optional.of(DurationText.option("--fix-for", fixFor))
                : waits
                        ? Optional.of(DurationText.option("--timeout", timeout))
                        : length == null ? Optional.empty() : Optional.of(length(length));
        return new DoctorOptions(!noAsk, waits, watch, end, feed(), Optional.ofNullable(save));
    }

    private Ways feed() {
        return new Ways(Optional.ofNullable(metrics), Optional.ofNullable(otlp));
    }

    private void refuseWithoutPid() {
        if (untilWarm || watch || (feed().any() && !all) || fix != null || save != null) {
            throw KilnException.usage(
                    "--until-warm, --watch, --metrics, --otlp, --fix and --save need one JVM",
                    "give its PID: kiln doctor alone lists the JVMs with their pids; --all --metrics serves figures of all");
        }
    }

    private Duration length(String otherwise) {
        String text = length == null ? otherwise : length;
        Duration duration = DurationText.option("--for", text);
        if (duration.compareTo(SHORTEST) < 0) {
            throw KilnException.usage(
                    "--for " + text + " is too short: the kernel counts a wait only when it is over",
                    "give 2s or more; 10s is a good length");
        }
        return duration;
    }

    private int all(DoctorRounds rounds) {
        if (feed().any()) {
            Duration round = DurationText.option("--every", every);
            if (round.compareTo(SHORTEST) < 0) {
                throw KilnException.usage("--every " + every + " is too short", "give 2s or more");
            }
            rounds.serve(feed(), round, console.err());
            return 0;
        }
        List<DoctorSubject> subjects = rounds.once();
        console.print(() -> DoctorJson.render(subjects), () -> DoctorText.all(subjects, console.style()));
        if (!subjects.isEmpty()) {
            console.next(new NextStep("kiln doctor PID", "whether that one is warm, and what holds it back"));
        }
        return 0;
    }
}
