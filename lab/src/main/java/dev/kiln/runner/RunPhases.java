package dev.kiln.runner;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.jvm.AttachSocket;
import dev.kiln.jvm.DiagnosticCommands;
import dev.kiln.jvm.Reply.Refusal;
import dev.kiln.launch.CpuBoost;
import dev.kiln.load.LoadSession;
import dev.kiln.load.LoadSession.Tick;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.recorder.Recording;
import dev.kiln.recorder.Recording.CompilerLoad;
import dev.kiln.recorder.Recording.DumpTimes;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** A RunPhases is the phases of a run whose target answers. */
record RunPhases(
        RunContext context,
        TargetStart start,
        LoadSession session,
        RunFacts facts,
        Recording recording,
        Optional<CpuBoost> boost,
        Optional<FullCollections> collections) {
    /** A driver whose compilers use a larger share of its CPU time is still warming up itself. */
    private static final double MAX_DRIVER_JIT = 0.01;

    /** A node carries out a lower limit within a second or two. */
    private static final Duration LOWERED = Duration.ofSeconds(20);

    private static final Duration LOOK = Duration.ofMillis(500);

    /**
     * Runs the phases one after the other. A boost ends before the load that shows the peak. Of two runs at once, both begin
     * each phase together, and neither does anything else before both have ended the last.
     */
    void run(Protocol protocol) {
        List<Phase> phases = protocol.phases();
        int peak = protocol.reference().isPresent() ? phases.size() : peakFrom(phases);
        for (int i = 0; i < phases.size(); i++) {
            if (i == peak) {
                endBoost();
            }
            context.keepPace();
            run(phases.get(i));
        }
        context.keepPace();
        context.beside().filter(Beside::alone).ifPresent(other -> facts.note(other.words()));
        if (peak == phases.size()) {
            endBoost();
        }
    }

    /** Returns the index of the last load after another, or of the pause before it; -1 where none shows the peak. */
    static int peakFrom(List<Phase> phases) {
        int last = phases.size() - 1;
        while (last > 0 && !(phases.get(last) instanceof Phase.Load)) {
            last--;
        }
        boolean after = phases.stream().limit(Math.max(0, last)).anyMatch(Phase.Load.class::isInstance);
        return !after ? -1 : phases.get(last - 1) instanceof Phase.Pause ? last - 1 : last;
    }

    private boolean boosted() {
        return boost.filter(lasting -> lasting.endNanos().isEmpty()).isPresent();
    }

    private void endBoost() {
        boost.filter(lasting -> lasting.endNanos().isEmpty()).ifPresent(lasting -> {
            lasting.end();
            if (lasting.endNanos().isPresent()) {
                facts.note("cpu-boost: it ended before the load that shows the peak, though "
                        + (lasting.asked().time().isPresent()
                                ? "its time was not over"
                                : "the compilers were still busy"));
            }
        });
        boost.flatMap(this::pending)
                .ifPresent(why -> facts.note("cpu-boost: the lower CPU limit did not hold yet "
                        + LOWERED.toSeconds()
                        + " s after it was asked for, so the load that shows the peak may have had"
                        + " more: " + why));
    }

    /** Waits until the lower limit holds; returns why it does not. */
    private Optional<String> pending(CpuBoost lowered) {
        long deadline = System.nanoTime() + LOWERED.toNanos();
        Optional<String> why = lowered.pending();
        while (why.isPresent() && System.nanoTime() < deadline) {
            context.cancellation().sleep(LOOK.toNanos());
            check();
            why = lowered.pending();
        }
        return why;
    }

    /** Runs a phase and writes down when; fails if something has died by its end. */
    void run(Phase phase) {
        long launch = start.target().launchNanos();
        boolean cold = facts.phases().stream().noneMatch(PhaseTime::load);
        facts.phaseBegan(phase.name(), phase instanceof Phase.Load, System.nanoTime() - launch);
        switch (phase) {
            case Phase.Load load -> {
                recording.dumpThreads(DumpTimes.of(System.nanoTime(), load, cold));
                UntilSteady until = new UntilSteady(load, context.judge()::steady, session::finish);
                KnownEnd known = new KnownEnd(
                        load, context.experiment().load(), recording.processes(), context.judge(), session::finish);
                Optional<UntilWarm> untilWarm = boost.filter(
                                lasting -> lasting.asked().time().isEmpty())
                        .map(UntilWarm::new);
                PhaseResult result = session.load(load, tick -> {
                    context.listener().tick(load, tick, recording.c2LastSecond());
                    untilWarm.ifPresent(each -> each.second(recording.c2LastSecond()));
                    until.tick(tick);
                    known.second(tick.requestsPerSecond(), recording.c2LastSecond(), boosted());
                    collections
                            .flatMap(FullCollections::tick)
                            .ifPresent(why -> facts.note("a full collection that was asked for did not come: " + why));
                });
                ended(load, result);
                known.words().ifPresent(words -> facts.note(load.name() + " " + words));
            }
            case Phase.Pause pause -> {
                context.listener().doing("pausing " + pause.duration().toSeconds() + " s");
                long begin = System.nanoTime();
                session.pause(pause);
                facts.pauseEnded(begin - launch, System.nanoTime() - launch);
            }
        }
        check();
    }

    private void ended(Phase.Load load, PhaseResult result) {
        // Other generators tell only what completed.
        boolean told = context.driver().provenance().isEmpty();
        facts.phaseEnded(
                result.startNanos(),
                result.endNanos(),
                told ? Optional.of(result.unserved()) : Optional.empty(),
                result.work().handshakes().count() > 0
                        ? Optional.of(result.work().handshakes())
                        : Optional.empty(),
                result.work().loops().isEmpty()
                        ? Optional.empty()
                        : Optional.of(result.work().loops()));
        result.warnings().forEach(warning -> facts.note(load.name() + ": " + warning));
        if (result.work().cost().jitShare() > MAX_DRIVER_JIT) {
            facts.note(String.format(
                    Locale.ROOT,
                    "the load driver's own compilers took %.1f %% of its CPU time in a phase of load",
                    100 * result.work().cost().jitShare()));
        }
    }

    /** Fails if something has died, most likely cause first, or if all is to end. */
    void check() {
        context.cancellation().check();
        if (context.database().isPresent() && !context.database().get().isAlive()) {
            throw new RunFailure(
                    Outcome.LAB_FAILED,
                    "PostgreSQL died during the run",
                    context.database().get().lastLines());
        }
        context.backend().ifPresent(Backend::check);
        if (!start.target().isAlive()) {
            throw start.died();
        }
    }

    /** An UntilWarm ends a boost of the CPU once both compilers have been quiet under load. */
    static final class UntilWarm {
        /** So many seconds are longer than from the load's first requests to the first compilations. */
        private static final int QUIET_SECONDS = 5;

        private final CpuBoost boost;
        private int quiet;

        UntilWarm(CpuBoost boost) {
            this.boost = boost;
        }

        void second(Optional<CompilerLoad> compilers) {
            boolean now = compilers
                    .filter(used -> used.demand() <= CompilerLoad.QUIET)
                    .isPresent();
            quiet = now ? quiet + 1 : 0;
            if (quiet == QUIET_SECONDS) {
                boost.end();
            }
        }
    }

    /** An UntilSteady ends a load phase that waits for a steady throughput, once it has lasted long enough to tell. */
    static final class UntilSteady {
        private final Duration from;
        private final Predicate<double[]> steady;
        private final Runnable finish;
        private final boolean waits;
        private double[] seconds = new double[0];

        /** @param steady judges the seconds so far, in requests per second: later ones cannot change its mind */
        UntilSteady(Phase.Load phase, Predicate<double[]> steady, Runnable finish) {
            this.waits = phase.untilSteadyFrom().isPresent();
            this.from = phase.untilSteadyFrom().orElse(Duration.ZERO);
            this.steady = steady;
            this.finish = finish;
        }

        void tick(Tick tick) {
            if (!waits) {
                return;
            }
            seconds = Arrays.copyOf(seconds, seconds.length + 1);
            seconds[seconds.length - 1] = tick.requestsPerSecond();
            if (seconds.length >= from.toSeconds() && steady.test(seconds)) {
                finish.run();
            }
        }
    }

    /**
     * A FullCollections asks the target's JVM for a collection of its whole heap now and then: only what such a
     * collection leaves is live. Until one comes, garbage in the old generation looks like a leak.
     */
    static final class FullCollections implements AutoCloseable {
        private static final Duration PATIENCE = Duration.ofSeconds(5);

        private final AttachSocket socket;
        private final DiagnosticCommands jvm;
        private final long everyNanos;
        private long dueNanos;
        private boolean told;

        FullCollections(long pid, Duration every) {
            socket = new AttachSocket(ProcFs.ofThisMachine(), pid, PATIENCE);
            jvm = new DiagnosticCommands(socket);
            everyNanos = every.toNanos();
            dueNanos = System.nanoTime() + everyNanos;
        }

        /** Asks for a collection if it is time; returns why there was none, once. */
        Optional<String> tick() {
            if (System.nanoTime() < dueNanos) {
                return Optional.empty();
            }
            dueNanos = System.nanoTime() + everyNanos;
            Optional<String> none =
                    jvm.raw("GC.run").refusal().map(Refusal::why).filter(why -> !told);
            told |= none.isPresent();
            return none;
        }

        @Override
        public void close() {
            socket.close();
        }
    }
}
