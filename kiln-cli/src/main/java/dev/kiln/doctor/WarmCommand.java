package dev.kiln.doctor;

import dev.kiln.console.Installation;
import dev.kiln.console.NextStep;
import dev.kiln.console.ResultConsole;
import dev.kiln.doctor.DoctorVisit.DoctorExit;
import dev.kiln.doctor.LiveDiagnosis.LiveState;
import dev.kiln.host.proc.Cgroups;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.jvm.LiveJvms;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.LiveProcess;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.plan.load.WarmRequests;
import dev.kiln.plan.text.DurationText;
import dev.kiln.recorder.RecorderSpec.RecorderPace;
import dev.kiln.report.JsonOut;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kiln warm} sends requests to a live JVM until it is warm for them. */
@Command(
        name = "warm",
        description = {
            "Sends requests to a running JVM until it is warm for them.",
            "",
            "Requests come in bursts, and their length follows the CPU: the process, compilers included, is to use at most"
                    + " its share. Call it before the instance gets traffic: in deployment scripts, or beside the service."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Exit codes: 0 warm; 6 not yet at the end of the budget; 1 requests failed; 8 it died or cannot be inspected."
        })
public final class WarmCommand implements Callable<Integer> {
    private static final int MOST_CONNECTIONS = 1000;

    /** This is above what the doctor calls idle, with room for the compilers. */
    private static final double LEAST_CPU = 0.08;

    @Parameters(
            paramLabel = "PID",
            description =
                    "Process id on this machine, also of a JVM in a container; or kube:NAMESPACE/POD[/CONTAINER].")
    private String name = "";

    private long pid;

    @Mixin
    private final JvmName jvm = new JvmName();

    @Option(
            names = "--url",
            required = true,
            paramLabel = "URL",
            description = "What to request with GET; several times for several. With --requests: whom to send them to.")
    private List<String> urls = List.of();

    @Option(
            names = "--requests",
            paramLabel = "FILE",
            description = "Recorded requests: a HAR file or an access log. Those that may change data are left out.")
    private @Nullable String requests;

    @Option(
            names = "--any-method",
            description = "Send those of --requests with methods other than GET, HEAD and OPTIONS too.")
    private boolean anyMethod;

    @Option(
            names = {"-c", "--connections"},
            description = "How many requests are in flight at a time (50).")
    private int connections = 50;

    @Option(names = "--budget", paramLabel = "TIME", description = "Give up after this time (90s).")
    private String budget = "90s";

    @Option(
            names = "--at-most",
            paramLabel = "SHARE",
            description = "Share of its CPUs that the process is to use, from 0.1 to 1 (0.5).")
    private double atMost = 0.5;

    @Mixin
    private final ResultConsole console = new ResultConsole();

    @Override
    public Integer call() {
        long began = System.nanoTime();
        Duration longest = DurationText.option("--budget", budget);
        if (longest.toSeconds() <= Warming.WINDOW_SECONDS) {
            throw usage(
                    "--budget " + budget + " is too short: Kiln judges " + Warming.WINDOW_SECONDS + " s of load",
                    "give 30s or more; 90s is a good budget");
        }
        if (!(atMost >= 0.1 && atMost <= 1)) {
            throw usage("--at-most: found " + atMost + ", expected a share from 0.1 to 1", "write it as --at-most 0.5");
        }
        if (connections < 1 || connections > MOST_CONNECTIONS) {
            throw usage(
                    "--connections: found " + connections + ", expected a whole number from 1 to " + MOST_CONNECTIONS,
                    "as many as the service has under full load is a good number");
        }
        OptionalInt elsewhere = jvm.elsewhere(Optional.of(name), console);
        return elsewhere.isPresent() ? elsewhere.getAsInt() : here(began, longest);
    }

    private int here(long began, Duration longest) {
        List<HttpCall> calls = calls();
        ProcFs fs = ProcFs.ofThisMachine();
        LiveProcess process = new LiveJvms(fs).of(JvmName.pid(name));
        pid = process.pid();
        double cpus = Cgroups.cpusOf(fs, process.pid());
        requireEnough(cpus);
        console.err()
                .println(String.format(
                        Locale.ROOT,
                        "kiln: %s to %s (PID %d), at most %.0f %% of %s CPU%s, for at most %s",
                        calls.size() == 1 ? "one request, repeated," : calls.size() + " requests, repeated,",
                        process.command(),
                        pid,
                        100 * atMost,
                        plain(cpus),
                        cpus == 1 ? "" : "s",
                        budget));
        Watch.Spec spec = new Watch.Spec(
                RecorderPace.WATCH,
                true,
                false,
                Duration.ofSeconds(Warming.WINDOW_SECONDS + 2),
                Optional.empty(),
                Installation.version());
        try (Watch watch = Watch.begin(process, spec)) {
            return tell(new Warming(watch, calls, connections, longest, began, cpus, atMost)
                    .run(line -> console.err().println("kiln: " + line)));
        }
    }

    private void requireEnough(double cpus) {
        if (cpus * atMost < LEAST_CPU) {
            throw usage(
                    String.format(
                            Locale.ROOT,
                            "--at-most %s of %s CPUs is too little: a JVM that uses under 5 %% of a CPU does not show"
                                    + " whether it is warm",
                            plain(atMost),
                            plain(cpus)),
                    cpus < LEAST_CPU
                            ? "give the service at least 0.1 CPUs while it warms up"
                            : String.format(
                                    Locale.ROOT, "give it at least %.1f", Math.ceil(10 * LEAST_CPU / cpus) / 10));
        }
    }

    private List<HttpCall> calls() {
        if (requests == null) {
            return urls.stream().map(WarmRequests::get).toList();
        }
        if (urls.size() != 1) {
            throw usage("--requests with " + urls.size() + " URLs", "give one --url, which says whom to send them to");
        }
        List<HttpCall> all = WarmRequests.recorded(urls.getFirst(), requests);
        List<HttpCall> sent = new ArrayList<>(all);
        if (!anyMethod) {
            sent.removeIf(call -> !WarmRequests.isSafe(call));
        }
        if (sent.isEmpty()) {
            throw usage(
                    "--requests: none of the " + all.size() + " requests in " + requests + " is a GET, HEAD or OPTIONS",
                    "--any-method sends all of them; they may change data");
        }
        if (sent.size() < all.size()) {
            console.err()
                    .println("kiln: " + (all.size() - sent.size()) + " of " + all.size()
                            + " requests are left out, because they may change data; --any-method sends all");
        }
        return sent;
    }

    private int tell(Warming.WarmingResult result) {
        double own = ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .orElse(Duration.ZERO)
                        .toMillis()
                / 1e3;
        console.print(() -> json(result, own), () -> text(result, own));
        next(result.state());
        return switch (result.state()) {
            case WARM -> 0;
            case UNKNOWN -> DoctorExit.CANNOT_TELL;
            case WARMING, STARVED, IDLE -> result.failing() ? Exit.PROBLEM.code() : DoctorExit.NOT_WARM;
        };
    }

    /** What holds a JVM back is asked of one that is there. */
    private void next(LiveState state) {
        switch (state) {
            case WARM -> console.next(NextStep.attach(pid, urls.getFirst()));
            case WARMING, STARVED, IDLE -> console.next(NextStep.doctor(pid));
            case UNKNOWN -> {
                // It has died, or cannot be inspected.
            }
        }
    }

    private String text(Warming.WarmingResult result, double own) {
        String failed = result.failures() == 0
                ? "none failed"
                : String.format(
                        Locale.ROOT,
                        "%,d failed (first %s)",
                        result.failures(),
                        result.firstFailure().orElse("unknown"));
        return String.format(
                Locale.ROOT,
                "%s after %.0f s: %s%n%,d requests, %s; it used %.0f %% of its CPU on average; Kiln used %.1f s of CPU time.%n",
                result.state() == LiveState.WARM ? "Warm" : "Not warm",
                result.seconds(),
                result.reason(),
                result.requests(),
                failed,
                100 * result.cpuShare(),
                own);
    }

    private String json(Warming.WarmingResult result, double own) {
        return JsonOut.render(out -> {
            out.integer("pid", pid);
            out.flag("warm", result.state() == LiveState.WARM);
            out.text("state", result.state().text());
            out.text("reason", result.reason());
            out.number("seconds", result.seconds(), 1);
            out.integer("requests", result.requests());
            out.integer("failures", result.failures());
            out.text("firstFailure", result.firstFailure());
            out.number("atMost", atMost, 3);
            out.number("cpuShare", result.cpuShare(), 3);
            out.number("kilnCpuSeconds", own, 2);
        });
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? Long.toString(Math.round(number)) : Double.toString(number);
    }

    private static KilnException usage(String what, String remedy) {
        return KilnException.usage(what, remedy);
    }
}
