package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.cause.CauseId.Role;
import dev.kiln.explain.window.CpuUse;
import dev.kiln.explain.window.Window;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Modifier.CompilerPriority.By;
import dev.kiln.model.experiment.Target.AotCache;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.Moment;
import dev.kiln.model.run.Finding.Place;
import dev.kiln.model.run.Finding.Proof;
import dev.kiln.model.run.Finding.Remedy;
import dev.kiln.model.run.Sample.ThreadRole;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** C2 has work at the end of the load and gets no CPU for it. */
final class C2Starved {
    static final CauseId ID = new CauseId("c2-starved", "C2 starved of CPU", Curve.C2, CauseId.LEVEL, Role.STARVES_C2);

    /**
     * Compiler CPU time over compile time: 0.03 to 0.1 measured when starved, 0.5 to 1 when served. Decides only where
     * waiting is not recorded.
     */
    private static final double EFFICIENCY_STARVED = 0.25;

    private static final double EFFICIENCY_SERVED = 0.45;

    /** Seconds that are judged together when starvation is looked for over the whole load: one may credit the wait of many. */
    private static final int STEP = 5;

    /**
     * Effects of remedies, here and in other causes, are measured ones: Spring Boot with 100 platform threads on one CPU of an
     * AMD EPYC, Linux 6.18, JDK 25.0.3, 60 s of load, single runs.
     */
    static final String BASIS = " (measured: Spring Boot, 1 CPU, JDK 25.0.3)";

    static final Remedy VIRTUAL_THREADS = new Remedy(
                    "serve requests on virtual threads",
                    "spring.threads.virtual.enabled=true; Quarkus: @RunOnVirtualThread",
                    "code that pins a carrier, or relies on a thread pool as a limit, must change; 95 % of peak after 24"
                            + " s instead of never within 120 s" + BASIS,
                    Place.LAUNCH_FLAG)
            .tried(Change.with(new Modifier.VirtualThreads()));

    static final Remedy PRIORITY_AT_LAUNCH = new Remedy(
                    "give the compiler threads priority from the launch on",
                    "-XX:ThreadPriorityPolicy=1 -XX:CompilerThreadPriority=-20",
                    "needs root or CAP_SYS_NICE, and raises the other priorities of the JVM too; 95 % of peak after 22 s"
                            + BASIS,
                    Place.LAUNCH_FLAG)
            .tried(Change.with(new Modifier.CompilerPriority(By.AUTO)));

    static final Remedy BATCH = new Remedy(
                    "let callers wait for their compilation",
                    "-Xbatch",
                    "requests stall while their methods compile, and the start is longer: 11.6 s instead of 8.7 s; 3,164 instead of"
                            + " 1,897 req/s at the end of the warm-up" + BASIS,
                    Place.LAUNCH_FLAG)
            .tried(Change.with(new Modifier.XBatch()));

    /** Enough for the compilers to see what is hot. */
    private static final Duration TRAINING = Duration.ofSeconds(20);

    static final Remedy AOT_TRAFFIC = new Remedy(
                    "train an AOT cache with traffic",
                    "-XX:AOTCacheOutput=app.aot under load, then -XX:AOTCache=app.aot",
                    "a training run for each build; starts in 3.1 s instead of 8.7 s and peaks higher after a pause, but does not end"
                            + " the starvation by itself" + BASIS,
                    Place.LAUNCH_FLAG)
            .tried(Change.with(new AotCache.Traffic(TRAINING)));

    static final Remedy C1_ONLY = new Remedy(
                    "switch C2 off", "-XX:TieredStopAtLevel=1", "a lower peak, reached at once", Place.LAUNCH_FLAG)
            .tried(Change.with(new Modifier.TieredStopAtLevel(1)));

    private static final Remedy RENICE = new Remedy(
            "give the C2 threads priority now",
            "renice -n -20 -p TID, for each thread named C2 CompilerThre, again for every new one",
            "needs CAP_SYS_NICE; at -20 95 % of peak after 25 s, at -10 1.7 times the throughput" + BASIS,
            Place.LIVE_PROCESS);

    private static final Remedy DIRECTIVE = new Remedy(
            "let callers wait for C2 now",
            "jcmd PID Compiler.directives_add FILE with [{match:[\"*.*\"],c2:{BackgroundCompilation:false}}]",
            "requests stall while their methods compile; undo with jcmd PID Compiler.directives_clear",
            Place.LIVE_PROCESS);

    static final Remedy READINESS = new Remedy(
            "admit traffic slowly, until C2's queue is drained and the curve is flat",
            "slow start or a readiness gate of the load balancer",
            "other instances carry the load meanwhile",
            Place.PLATFORM);

    static final Remedy MORE_CPU = new Remedy(
            "give the service more CPU while it warms up",
            "a higher cgroup weight or a CPU boost at start",
            "CPU that neighbours do not get meanwhile",
            Place.PLATFORM);

    static final List<Remedy> REMEDIES = List.of(
            VIRTUAL_THREADS, PRIORITY_AT_LAUNCH, BATCH, AOT_TRAFFIC, C1_ONLY, RENICE, DIRECTIVE, READINESS, MORE_CPU);

    private C2Starved() {}

    static Finding judge(WindowEvidence s, Findings earlier) {
        if (s.threads().isEmpty()) {
            return ID.notObservable("the compiler threads' CPU time and waiting were not recorded: kiln run reads"
                    + " them from /proc/PID/task; an import takes them from pidstat -t");
        }
        if (s.observed().c2CpuShare().isEmpty()) {
            return s.threads().has(ThreadRole.C2)
                    ? ID.notObservable("less than a second of load was recorded")
                    : ID.ruledOut(
                            proof("the target has no C2 thread: it is not a HotSpot JVM, or is one without" + " C2"));
        }
        if (!s.waitsRecorded()) {
            return byEfficiency(s);
        }
        if (s.c2().isEmpty()) {
            return ID.notObservable("C2 was seen in less than half of the end of the load");
        }
        List<Proof> proofs = proofs(s, s.c2().orElseThrow());
        Optional<CpuUse> starved = s.starvedC2();
        if (starved.isEmpty()) {
            return ID.ruledOut(proofs.toArray(Proof[]::new));
        }
        return earlier.confirmed(Throttling.ID)
                ? ID.notObservable(
                        proofs.getFirst().text() + ": under a CPU limit every thread waits; measure without the limit")
                : ID.confirmed(starved.get().waitRatio(), proofs, REMEDIES);
    }

    private static List<Proof> proofs(WindowEvidence s, CpuUse c2) {
        List<Proof> proofs = new ArrayList<>();
        boolean drained = c2.starved() && s.starvedC2().isEmpty();
        proofs.add(proof(
                c2.words("C2") + " " + s.ending() + (drained ? ", but no method waited to be compiled" : ""),
                s.moment(s.end())));
        s.efficiency().ifPresent(share -> proofs.add(efficiency(s, share)));
        if (c2.starved()) {
            proofs.add(proof(
                    String.format(
                            Locale.ROOT,
                            "of the time it asked for a CPU it waited %.0f %%; %.0f %% of the time it was blocked or idle",
                            100 * c2.waitRatio(),
                            100 * c2.blocked()),
                    s.moment(s.end())));
        }
        // Where the window is all there is, its own figures have said so.
        if (!s.whole()) {
            spell(s).ifPresent(proofs::add);
        }
        return proofs;
    }

    /** From when to when it was starved under the load. */
    private static Optional<Proof> spell(WindowEvidence s) {
        long step = STEP * 1_000_000_000L;
        double end = s.second(s.window().toNanos());
        double from = Double.NaN;
        double to = Double.NaN;
        for (long at = s.zeroNanos(); at + step <= s.window().toNanos(); at += step) {
            if (s.use(ThreadRole.C2, new Window(at, at + step)).starved()) {
                from = Double.isNaN(from) ? s.second(at) : from;
                to = s.second(at + step);
            }
        }
        if (Double.isNaN(from)) {
            return Optional.empty();
        }
        String text = to > end - STEP
                ? "it was starved from second %.0f to the end of the load, %.0f s"
                : "it was starved from second %.0f, the last time until second %.0f";
        return Optional.of(proof(String.format(Locale.ROOT, text, from, to), new Moment(from, to)));
    }

    private static Proof efficiency(WindowEvidence s, double share) {
        return proof(
                String.format(
                        Locale.ROOT,
                        "the compilers had a CPU for %.0f %% of the time their compilations took (about 100 %% when served)",
                        100 * share),
                s.moment(s.end()));
    }

    private static Finding byEfficiency(WindowEvidence s) {
        OptionalDouble share = s.efficiency();
        if (share.isPresent() && share.getAsDouble() <= EFFICIENCY_STARVED) {
            return ID.confirmed(1 - share.getAsDouble(), List.of(efficiency(s, share.getAsDouble())), REMEDIES);
        }
        if (share.isPresent() && share.getAsDouble() >= EFFICIENCY_SERVED) {
            return ID.ruledOut(efficiency(s, share.getAsDouble()));
        }
        return ID.notObservable("the time threads wait for a CPU was not recorded: it takes /proc/PID/schedstat"
                + " (CONFIG_SCHED_INFO), or pidstat's %wait");
    }
}
