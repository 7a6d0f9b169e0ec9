package dev.kiln.recorder;

import dev.kiln.jvm.AttachSocket;
import dev.kiln.jvm.JvmCounters;
import dev.kiln.jvm.JvmCounters.Standstill;
import dev.kiln.jvm.JvmProbe;
import dev.kiln.jvm.Reply;
import dev.kiln.jvm.Reply.Refusal;
import dev.kiln.jvm.Reply.Refusal.RefusalReason;
import dev.kiln.jvm.ThreadDumps;
import dev.kiln.jvm.threads.BlockedRows;
import dev.kiln.jvm.threads.DumpedThread;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.recorder.Recording.DumpTimes;
import dev.kiln.recorder.VirtualDumps.VirtualDump;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * RecorderDumps dumps the target's threads when it is told to. It has a thread of its own, because a starved JVM
 * answers late. A dump stops the JVM; where one takes long, the next one comes later, and where one takes too long,
 * there are no more.
 */
final class RecorderDumps implements AutoCloseable {
    private static final String WHAT = NotRecorded.THREAD_DUMPS;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Five such stops a second apart would take 2 % of a service's time. */
    private static final long LONGEST_STOP_NANOS = 20_000_000;

    /** No dump is worth a stop of the service that a user feels. */
    private static final long WORST_STOP_NANOS = 200_000_000;

    /** The whole answer may take so long where the JVM does not count its stops: most of it is no stop. */
    private static final long LONGEST_ANSWER_NANOS = 50_000_000;

    /**
     * After a dump that took long the next one waits at least this many times as long: so dumps take at most 1 % of the time. The same
     * holds for the CPU time in which the JVM writes its virtual threads, 0.1 ms for each, or counts them.
     */
    private static final int SHARE = 100;

    /** A dump comes no earlier than this after the one before, however late that was. */
    private static final long APART_NANOS = 900_000_000;

    /** A dump stops the JVM about this long for each platform thread: 5,000 of them took 160 to 185 ms of CPU. */
    private static final long THREAD_NANOS = 50_000;

    /** The end of a run waits this long for an answer. */
    private static final long GRACE_MILLIS = 300;

    private final RecorderContext context;
    private final Supplier<Optional<Refusal>> unopened;
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("kiln-dumps").factory());
    private Optional<Asked> asked = Optional.empty();
    private volatile Optional<Refusal> last = Optional.empty();
    private int answers;

    /** The next dump comes no earlier, for this reason. */
    private long fromNanos = System.nanoTime();

    private String rests = "";

    private long lastNanos = Long.MIN_VALUE;
    private boolean leftOut;

    /** No more dumps are taken: one took too long, or was not answered. */
    private boolean over;

    private boolean planned;
    private boolean ended;
    private volatile Optional<RuntimeException> failure = Optional.empty();

    /** An Asked is the process that is asked; another takes its place if another JVM turns out to serve. */
    private record Asked(
            long pid,
            AttachSocket socket,
            ThreadDumps dumps,
            VirtualDumps virtuals,
            ClientReads reads,
            JvmProbe probe) {}

    /** A DumpCost is the time that the JVM stood still, or else the time of its answer. */
    private record DumpCost(long nanos, boolean stopped) {
        boolean isHigh() {
            return nanos > (stopped ? LONGEST_STOP_NANOS : LONGEST_ANSWER_NANOS);
        }

        boolean isTooHigh() {
            return nanos > WORST_STOP_NANOS;
        }

        String text() {
            return String.format(
                    Locale.ROOT,
                    "a dump %s %.0f ms",
                    stopped ? "stopped the JVM for" : "was answered after",
                    nanos / 1e6);
        }
    }

    /** @param unopened why the questions about the JIT have not opened the JVM's socket, as far as they know */
    RecorderDumps(RecorderContext context, Supplier<Optional<Refusal>> unopened) {
        this.context = context;
        this.unopened = unopened;
        // It is not interrupted: an interrupt while it writes would close the tables.
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Dumps at these moments from now on, beside those that were planned before. */
    synchronized void plan(DumpTimes times) {
        if (ended) {
            return;
        }
        planned = true;
        for (long at : times.nanos()) {
            try {
                var unused =
                        timer.schedule(() -> guarded(times.endNanos()), at - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException e) {
                return;
            }
        }
    }

    /** Says why it ended before it was stopped: a full disk, or a bug. */
    Optional<RuntimeException> failure() {
        return failure;
    }

    /** Ends soon, even if the JVM does not answer. Nothing is written after it. */
    @Override
    public void close() {
        timer.shutdown();
        try {
            if (timer.awaitTermination(GRACE_MILLIS, TimeUnit.MILLISECONDS)) {
                forget();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            if (!ended) {
                ended = true;
                if (leftOut) {
                    context.gap(
                            WHAT + ", some of them",
                            rests + ": Kiln left some out, so that they take at most 1 % of the time");
                }
                if (planned && answers == 0 && !over) {
                    context.gap(WHAT, last.map(Refusal::why).orElse("the load was over before the JVM could be asked"));
                }
            }
        }
    }

    private void guarded(long endNanos) {
        try {
            long now = System.nanoTime();
            boolean due = !over && failure.isEmpty() && now - endNanos < 0;
            boolean early = lastNanos != Long.MIN_VALUE && now - lastNanos < APART_NANOS;
            leftOut |= due && now - fromNanos < 0;
            if (due && !early && now - fromNanos >= 0) {
                lastNanos = now;
                dump(endNanos);
            }
        } catch (OutOfMemoryError e) {
            // What only some like to know must not cost the run.
            end("Kiln took no more, because one did not fit into its memory");
        } catch (RuntimeException e) {
            failure = Optional.of(e);
        } catch (Error e) {
            failure = Optional.of(new IllegalStateException("the recorder failed: " + e, e));
        } finally {
            if (timer.isShutdown()) {
                forget();
            }
        }
    }

    /** Removes what the question of a process has put beside it. */
    private synchronized void forget() {
        asked.map(Asked::socket).ifPresent(AttachSocket::close);
        asked = Optional.empty();
    }

    private void dump(long endNanos) {
        Asked one = asked();
        Optional<Refusal> no = one.socket.whyNot().or(() -> notYet(one));
        if (no.isPresent()) {
            last = no;
            return;
        }
        long expected = THREAD_NANOS * context.fs().tids(one.pid).length;
        if (expected > LONGEST_STOP_NANOS) {
            end(String.format(
                    Locale.ROOT,
                    "the process has so many threads that a dump would stop it for some %.0f ms, and the limit is %d ms",
                    expected / 1e6,
                    LONGEST_STOP_NANOS / 1_000_000));
            return;
        }
        Optional<JvmCounters> counters = one.probe.counters();
        Optional<Standstill> before = counters.map(JvmCounters::standstill);
        long begin = System.nanoTime();
        Reply<List<DumpedThread>> print = one.dumps.platform();
        DumpCost cost = before.map(earlier ->
                        new DumpCost(counters.orElseThrow().standstill().since(earlier), true))
                .orElse(new DumpCost(System.nanoTime() - begin, false));
        last = print.refusal();
        if (print.told().isEmpty()) {
            // The JVM still has to work off the question: another one would come on top of it.
            print.refusal()
                    .filter(why -> why.reason() == RefusalReason.NO_ANSWER)
                    .ifPresent(why -> end(why.why()));
            return;
        }
        take(one, print.told().get(), endNanos);
        if (cost.isTooHigh()) {
            end("Kiln took no more, because " + cost.text() + ", and the limit is " + WORST_STOP_NANOS / 1_000_000
                    + " ms");
        } else if (cost.isHigh()) {
            rest(begin, cost.nanos, cost.text());
        }
    }

    /** Keeps what was told before the load ended. */
    private void take(Asked one, List<DumpedThread> threads, long endNanos) {
        long printed = System.nanoTime();
        Set<String> ofClients = one.reads.lines(BlockedRows.reads(threads));
        VirtualDump virtual = one.virtuals.of(one.dumps, one.pid, threads);
        if (virtual.nanos() > 0) {
            rest(printed, virtual.nanos(), "the JVM takes so much CPU time to report its virtual threads");
        }
        long answered = System.nanoTime();
        long at = virtual.threads().isEmpty() ? printed : answered;
        if (at - endNanos < 0) {
            long timeNanos = at - context.spec().launchNanos();
            List<BlockedSample> counts = answered - endNanos < 0 ? virtual.counted(timeNanos) : List.of();
            keep(
                    one.pid,
                    Stream.concat(
                                    BlockedRows.of(timeNanos, threads, virtual.threads(), ofClients).stream(),
                                    counts.stream())
                            .toList());
        }
    }

    /** Takes no dump until what it took is a small share of the time. */
    private void rest(long begin, long took, String why) {
        if (begin + SHARE * took > fromNanos) {
            fromNanos = begin + SHARE * took;
            rests = why;
        }
    }

    /** The questions about the JIT open the socket. Two that ask for it at once would make the JVM print its threads. */
    private Optional<Refusal> notYet(Asked one) {
        return context.spec().jitQueries() && !one.socket.isOpen()
                ? unopened.get()
                        .or(() -> Optional.of(
                                new Refusal(RefusalReason.NO_ANSWER, "the JVM had not opened its attach socket yet")))
                : Optional.empty();
    }

    /** Takes no more dumps. */
    private void end(String why) {
        over = true;
        context.gap(answers > 0 ? WHAT + ", the later ones" : WHAT, why);
    }

    private synchronized void keep(long pid, List<BlockedSample> rows) {
        if (!ended && pid == context.pid()) {
            answers++;
            rows.forEach(context::appendOfProcess);
        }
    }

    private synchronized Asked asked() {
        long pid = context.pid();
        if (asked.filter(one -> one.pid == pid).isEmpty()) {
            forget();
            AttachSocket socket = new AttachSocket(context.fs(), pid, PATIENCE);
            asked = Optional.of(new Asked(
                    pid,
                    socket,
                    new ThreadDumps(
                            context.fs(), pid, socket, context.spec().dumping().registry()),
                    new VirtualDumps(context),
                    new ClientReads(context.fs(), pid),
                    new JvmProbe(context.fs(), pid)));
        }
        return asked.get();
    }
}
