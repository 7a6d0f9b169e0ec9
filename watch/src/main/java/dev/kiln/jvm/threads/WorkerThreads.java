package dev.kiln.jvm.threads;

import dev.kiln.jvm.threads.DumpedThread.DumpedFrame;
import java.util.List;

/** WorkerThreads are the threads of executors, which run tasks that others hand to them: a frame of the pool is below the task. */
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

    private WorkerThreads() {}

    /** Tells whether a thread is one. A carrier of virtual threads is none: it leaves one that waits. */
    static boolean has(DumpedThread thread) {
        return thread.carries().isEmpty()
                && thread.frames().stream().anyMatch(frame -> WORKERS.stream().anyMatch(code -> code.is(frame)));
    }
}
