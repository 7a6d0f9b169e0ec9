package dev.kiln.doctor;

import dev.kiln.doctor.LiveDiagnosis.LiveState;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import dev.kiln.model.load.LoadSpec.HttpCall;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * A Warming sends requests to a live JVM until its compilers have done their work for them. The CPU that the process
 * uses decides how long the bursts of requests are, so that it stays within its share.
 *
 * @param connections in flight at a time
 * @param beganNanos when the budget began, by {@link System#nanoTime}
 * @param cpus that the process may use
 * @param atMost share of them that it is to use, compilers included
 */
public record Warming(
        Watch watch,
        List<HttpCall> calls,
        int connections,
        Duration budget,
        long beganNanos,
        double cpus,
        double atMost) {
    /** The judged window, in seconds, is long enough for the doctor to ask for the queue within it. */
    public static final int WINDOW_SECONDS = 10;

    private static final long STEP_NANOS = 500_000_000;
    private static final int JUDGE_EVERY_STEPS = 4;
    private static final int TELL_EVERY_STEPS = 10;

    /** The JVM must stay warm for this time: a doctor beside it judges every four seconds. */
    private static final long STAYS_NANOS = 6_000_000_000L;

    /** Beyond this share of failures the diagnosis does not show what these requests make of the service. */
    private static final double MOST_FAILURES = 0.1;

    /**
     * A WarmingResult says how the warming ended.
     *
     * @param state of the JVM in the last seconds; WARM only if it answered requests then, and did not fail them
     * @param reason of the state, in words
     * @param failures requests that failed, were not answered in time, or were answered with a status of 400 or more
     * @param firstFailure in words; empty without one
     * @param failing whether too many requests of the last seconds failed
     * @param cpuShare that the process used of its CPUs, on average
     */
    public record WarmingResult(
            LiveState state,
            String reason,
            double seconds,
            long requests,
            long failures,
            Optional<String> firstFailure,
            boolean failing,
            double cpuShare) {}

    /** Lately counts what was answered and what failed within the last seconds. */
    private static final class Lately {
        private final ArrayDeque<long[]> steps = new ArrayDeque<>();

        void step(BurstRequests requests) {
            steps.add(new long[] {requests.count(), requests.failures()});
            if (steps.size() > WINDOW_SECONDS * 1_000_000_000L / STEP_NANOS + 1) {
                steps.removeFirst();
            }
        }

        long answered() {
            return steps.getLast()[0] - steps.getFirst()[0];
        }

        boolean failing() {
            return steps.getLast()[1] - steps.getFirst()[1] > MOST_FAILURES * answered();
        }
    }

    /** @param tell takes a line for the user now and then */
    public WarmingResult run(Consumer<String> tell) {
        long begin = System.nanoTime();
        long end = beganNanos + budget.toNanos();
        Share share = new Share(watch.process().pid(), cpus);
        Lately lately = new Lately();
        OptionalLong warmSince = OptionalLong.empty();
        try (BurstRequests requests = new BurstRequests(calls, connections)) {
            for (int step = 1; ; step++) {
                boolean over = !sleepUntil(Math.min(end, begin + step * STEP_NANOS)) || System.nanoTime() >= end;
                requests.follow(atMost / Math.max(share.lately(), 0.001));
                lately.step(requests);
                boolean longEnough = System.nanoTime() - begin >= WINDOW_SECONDS * 1_000_000_000L;
                if (!over && !watch.hasEnded() && step % JUDGE_EVERY_STEPS != 0) {
                    continue;
                }
                LiveDiagnosis diagnosis = watch.diagnosis(WINDOW_SECONDS);
                WarmingResult result = result(diagnosis, requests, lately, share);
                long now = System.nanoTime();
                warmSince = longEnough && result.state() == LiveState.WARM
                        ? OptionalLong.of(warmSince.orElse(now))
                        : OptionalLong.empty();
                if (over || watch.hasEnded() || now - warmSince.orElse(now) >= STAYS_NANOS) {
                    return result;
                }
                if (step % TELL_EVERY_STEPS < JUDGE_EVERY_STEPS) {
                    tell.accept(String.format(
                            Locale.ROOT,
                            "%.0f s: %.0f requests a second, %.0f %% of its CPU: %s, %s",
                            result.seconds(),
                            requests.lately(),
                            100 * share.lastSeen(),
                            result.state().text(),
                            result.reason()));
                }
            }
        }
    }

    private WarmingResult result(LiveDiagnosis diagnosis, BurstRequests requests, Lately lately, Share share) {
        boolean warm = diagnosis.state() == LiveState.WARM;
        boolean unanswered = lately.answered() == 0;
        boolean bad = warm && (unanswered || lately.failing());
        return new WarmingResult(
                bad ? LiveState.WARMING : diagnosis.state(),
                bad
                        ? (unanswered ? "it answers none of these requests" : "it fails these requests")
                        : diagnosis.reason(),
                (System.nanoTime() - beganNanos) / 1e9,
                requests.count(),
                requests.failures(),
                requests.firstFailure(),
                unanswered || lately.failing(),
                share.average());
    }

    /** Sleeps; returns false if this thread was interrupted. */
    private static boolean sleepUntil(long nanos) {
        try {
            Thread.sleep(Duration.ofNanos(Math.max(0, nanos - System.nanoTime())));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** A Share measures which part of its CPUs a process uses. */
    private static final class Share {
        private final ProcFs fs = ProcFs.ofThisMachine();
        private final long pid;
        private final double cpus;
        private final long beginNanos = System.nanoTime();
        private final long beginCpu;
        private long atNanos = beginNanos;
        private long atCpu;
        private double lastSeen;

        Share(long pid, double cpus) {
            this.pid = pid;
            this.cpus = cpus;
            this.beginCpu = cpu(0);
            this.atCpu = beginCpu;
        }

        private long cpu(long otherwise) {
            return fs.stat(pid)
                    .map(ProcStat::cpu)
                    .map(ProcStat.CpuTime::ownNanos)
                    .orElse(otherwise);
        }

        /** Returns the share since the last call, from 0 to 1. */
        double lately() {
            long now = System.nanoTime();
            long cpu = cpu(atCpu);
            if (now > atNanos) {
                lastSeen = (cpu - atCpu) / (cpus * (now - atNanos));
            }
            atNanos = now;
            atCpu = cpu;
            return lastSeen;
        }

        double lastSeen() {
            return lastSeen;
        }

        double average() {
            return atNanos > beginNanos ? (atCpu - beginCpu) / (cpus * (atNanos - beginNanos)) : 0;
        }
    }
}
