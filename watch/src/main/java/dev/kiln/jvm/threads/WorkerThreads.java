package dev.kiln.jvm.threads;

import dev.kiln.jvm.threads.DumpedThread.DumpedFrame;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** WorkerThreads are the threads of executors. A task that somebody may wait for is in a future, whose frame is below the task's. */
final class WorkerThreads {
    private record WorkerCode(String type, String method) {
        boolean is(DumpedFrame frame) {
            return frame.type().equals(type) && frame.method().equals(method);
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
