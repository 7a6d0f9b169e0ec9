package dev.kiln.jvm.threads;

import dev.kiln.jvm.threads.DumpedThread.DumpedFrame;
import dev.kiln.jvm.threads.DumpedThread.DumpedObject;
import dev.kiln.jvm.threads.DumpedThread.KernelThread;
import dev.kiln.model.Secrets;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.WaitKind;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** BlockedRows are the threads of one dump, summed up where they stand alike. */
public final class BlockedRows {
    /** A dump has no more rows than this. The threads of the rest are one row more of each kind, virtual ones apart. */
    static final int MOST = 60;

    private static final String CLASS_INITIALISER = "<clinit>";

    private final Map<RowKey, Integer> counts = new LinkedHashMap<>();

    private record RowKey(String pool, boolean virtual, WaitKind kind, String frame, String detail, String task) {
        static RowKey of(DumpedThread thread, WaitKind kind, String frame, String detail) {
            return new RowKey(
                    // Some servers put a request into the name.
                    Secrets.HIDDEN.text(BlockedSample.poolOf(thread.name())),
                    thread.virtual(),
                    kind,
                    frame,
                    detail,
                    WorkerThreads.task(thread));
        }

        /** Returns the row of all that are not told apart. */
        RowKey rest() {
            // What runs keeps its family: else the rows that are left would say too much of one.
            return new RowKey("", virtual, kind, "", kind == WaitKind.RUNNABLE ? detail : "", "");
        }
    }

    private final Set<String> ofClients;

    /**
     * A SocketRead is a platform thread that reads a socket, and may have a request or none.
     *
     * @param line of code at which it does
     */
    public record SocketRead(KernelThread thread, String line) {}

    private BlockedRows(Set<String> ofClients) {
        this.ofClients = ofClients;
    }

    /** Returns the threads that read a socket in code of which it is not known whether they wait for a client there. */
    public static List<SocketRead> reads(List<DumpedThread> print) {
        return print.stream()
                .filter(thread ->
                        thread.kernels().isPresent() && thread.carries().isEmpty() && reads(ThreadWait.of(thread)))
                .map(thread -> new SocketRead(thread.kernels().orElseThrow(), frame(thread)))
                .toList();
    }

    private static boolean reads(ThreadWait wait) {
        return wait.kind() == WaitKind.SOCKET && wait.detail().equals(BlockedSample.TO_READ);
    }

    /**
     * Returns the rows of one dump, the largest first.
     *
     * @param print of {@link ThreadPrint}, from which the platform threads are taken
     * @param file of {@link ThreadJson}, from which the virtual threads are taken; empty where there is none
     */
    public static List<BlockedSample> of(long timeNanos, List<DumpedThread> print, List<DumpedThread> file) {
        return of(timeNanos, print, file, Set.of());
    }

    /** @param ofClients lines of code at which platform threads read of a client: they wait for its next request */
    public static List<BlockedSample> of(
            long timeNanos, List<DumpedThread> print, List<DumpedThread> file, Set<String> ofClients) {
        BlockedRows rows = new BlockedRows(ofClients);
        // Text and file do not name objects alike, so each has owners of its own.
        Owners ofPrint = new Owners(print);
        Set<Long> pinned = new HashSet<>();
        for (DumpedThread thread : print) {
            if (!thread.virtual()) {
                RowKey key = thread.carries().isPresent()
                        ? carrier(thread, onCarrier(thread, print, file))
                        : rows.row(thread, ofPrint);
                rows.count(key);
                if (key.kind() == WaitKind.PINNED) {
                    pinned.add(thread.carries().orElseThrow());
                }
            }
        }
        Owners ofFile = new Owners(file);
        // One that keeps its carrier has been counted with it.
        file.stream()
                .filter(thread -> thread.virtual() && !pinned.contains(thread.number()))
                .forEach(thread -> rows.count(rows.row(thread, ofFile)));
        return rows.sorted(timeNanos);
    }

    private void count(RowKey key) {
        counts.merge(key, 1, Integer::sum);
    }

    private RowKey row(DumpedThread thread, Owners owners) {
        ThreadWait wait = ThreadWait.of(thread);
        return !thread.virtual() && reads(wait) && ofClients.contains(frame(thread))
                ? RowKey.of(thread, WaitKind.IDLE, frame(thread), "")
                : RowKey.of(thread, wait.kind(), frame(thread), wait.detail() + owners.of(thread));
    }

    /** Returns the virtual thread that was on a carrier: the text has its stack from JDK 24 on, and the file else. */
    private static Optional<DumpedThread> onCarrier(
            DumpedThread carrier, List<DumpedThread> print, List<DumpedThread> file) {
        long number = carrier.carries().orElseThrow();
        return Stream.concat(print.stream(), file.stream())
                .filter(thread -> thread.virtual() && thread.number() == number)
                .findFirst();
    }

    /** A virtual thread that waits leaves its carrier, unless it cannot. */
    private static RowKey carrier(DumpedThread carrier, Optional<DumpedThread> mounted) {
        // One without a frame is being mounted, and one without a request keeps nobody's.
        ThreadWait wait = mounted.filter(BlockedRows::isOnCarrier)
                .map(ThreadWait::ofMounted)
                .filter(known -> known.kind() != WaitKind.IDLE)
                .orElse(new ThreadWait(WaitKind.RUNNABLE, ""));
        ThreadWait shown = wait.kind() == WaitKind.RUNNABLE
                ? wait
                : new ThreadWait(WaitKind.PINNED, (wait.kind() + " " + wait.detail()).strip());
        return RowKey.of(carrier, shown.kind(), mounted.map(BlockedRows::frame).orElse(""), shown.detail());
    }

    /** Tells it from the innermost frame: one that has left its carrier stands in {@code VirtualThread.park}. */
    private static boolean isOnCarrier(DumpedThread virtual) {
        return virtual.frames().stream()
                .findFirst()
                .filter(frame -> frame.type().equals("java.lang.VirtualThread"))
                .isEmpty();
    }

    private static String frame(DumpedThread thread) {
        return thread.ownFrame().map(DumpedFrame::toString).orElse("");
    }

    private List<BlockedSample> sorted(long timeNanos) {
        List<Map.Entry<RowKey, Integer>> all = counts.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .toList();
        Map<RowKey, Integer> kept = new LinkedHashMap<>();
        for (Map.Entry<RowKey, Integer> row : all) {
            kept.merge(kept.size() < MOST ? row.getKey() : row.getKey().rest(), row.getValue(), Integer::sum);
        }
        return kept.entrySet().stream()
                .map(row -> new BlockedSample(
                        timeNanos,
                        row.getKey().pool(),
                        row.getKey().virtual(),
                        row.getValue(),
                        row.getKey().kind(),
                        row.getKey().frame(),
                        row.getKey().detail(),
                        row.getKey().task()))
                .toList();
    }

    /** Owners are the threads that hold the monitors of one dump, and those that initialise its classes. */
    private static final class Owners {
        private final Map<String, DumpedThread> ofMonitors = new HashMap<>();
        private final Map<String, DumpedThread> ofClasses = new HashMap<>();

        Owners(List<DumpedThread> threads) {
            for (DumpedThread thread : threads) {
                thread.owned().forEach(id -> ofMonitors.put(id, thread));
                thread.frames().stream()
                        .filter(frame -> frame.method().equals(CLASS_INITIALISER))
                        .forEach(frame -> ofClasses.put(frame.type(), thread));
            }
        }

        /** Returns the end of a detail that names the owner of what a thread waits for; empty where it is not known. */
        String of(DumpedThread thread) {
            return thread.waits()
                    .monitor()
                    .map(DumpedObject::id)
                    .flatMap(id -> Optional.ofNullable(ofMonitors.get(id)))
                    .or(() -> thread.waits().initialised().flatMap(type -> Optional.ofNullable(ofClasses.get(type))))
                    // By its pool: one that changes hands is one place, whoever holds it in a dump.
                    .map(owner -> ", held by "
                            + (owner.name().isEmpty()
                                    ? "an unnamed thread"
                                    : Secrets.HIDDEN.text(BlockedSample.poolOf(owner.name())))
                            + (frame(owner).isEmpty() ? "" : " at " + frame(owner)))
                    .orElse("");
        }
    }

    /** WorkerThreads are the threads of executors. A task that somebody may wait for is in a future, whose frame is below the task's. */
    static final class WorkerThreads {
        private record WorkerCode(String type, String method) {
            boolean is(DumpedFrame frame) {
                return frame.code().isOf(type) && frame.method().equals(method);
            }
        }

        private static final List<WorkerCode> WORKERS = List.of(
                new WorkerCode("java.util.concurrent.ThreadPoolExecutor", "runWorker"),
                new WorkerCode("java.util.concurrent.ForkJoinPool", "runWorker"),
                new WorkerCode("org.apache.tomcat.util.threads.ThreadPoolExecutor", "runWorker"),
                new WorkerCode("org.eclipse.jetty.util.thread.QueuedThreadPool$Runner", "run"),
                new WorkerCode("org.jboss.threads.EnhancedQueueExecutor$ThreadBody", "run"),
                new WorkerCode("kotlinx.coroutines.scheduling.CoroutineScheduler$Worker", "run"));

        private static final String FUTURE_TASK = "java.util.concurrent.FutureTask";
        private static final String COMPLETABLE = "java.util.concurrent.CompletableFuture";

        /** The methods of classes inside a CompletableFuture that run a task. */
        private static final Set<String> RUNS = Set.of("run", "exec", "tryFire");

        private WorkerThreads() {}

        /** Returns the class of the future whose task a worker runs; empty for a worker without one, and for other threads. */
        static String task(DumpedThread thread) {
            List<DumpedFrame> outermostFirst = thread.frames().reversed();
            int worker = IntStream.range(0, outermostFirst.size())
                    .filter(i -> WORKERS.stream().anyMatch(code -> code.is(outermostFirst.get(i))))
                    .findFirst()
                    .orElse(outermostFirst.size());
            return outermostFirst.stream()
                    .skip(worker)
                    .takeWhile(DumpedFrame::isJdk)
                    .flatMap(frame -> future(frame).stream())
                    .findFirst()
                    .orElse("");
        }

        /** A task that is repeated has a method of its own: it has no result. */
        private static Optional<String> future(DumpedFrame frame) {
            if (frame.type().equals(FUTURE_TASK) && frame.method().equals("run")) {
                return Optional.of(FUTURE_TASK);
            }
            return frame.type().startsWith(COMPLETABLE + "$") && RUNS.contains(frame.method())
                    ? Optional.of(COMPLETABLE)
                    : Optional.empty();
        }
    }
}
