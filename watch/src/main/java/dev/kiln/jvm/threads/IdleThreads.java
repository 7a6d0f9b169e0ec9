package dev.kiln.jvm.threads;

import dev.kiln.jvm.threads.DumpedThread.DumpedFrame;
import dev.kiln.model.run.WaitKind;
import java.util.List;
import java.util.Optional;

/**
 * IdleThreads are those that have no request. They wait for one in the code of their pool or server, which their frames
 * name: a worker that waits for a task, an event loop, a keep-alive connection's next request, a thread of the JVM.
 */
final class IdleThreads {
    /** An IdleCode is code that waits for work, by the beginnings of a class's and a method's name. */
    private record IdleCode(String type, String method) {
        boolean is(DumpedFrame frame) {
            return frame.code().isOf(type) && frame.method().startsWith(method);
        }
    }

    /** These are the workers of the JDK's pools, and the JVM's own threads. */
    private static final List<IdleCode> JDK = List.of(
            new IdleCode("java.util.concurrent.ThreadPoolExecutor", "getTask"),
            new IdleCode("java.util.concurrent.ForkJoinPool", "awaitWork"),
            new IdleCode("java.util.concurrent.DelayScheduler", "loop"),
            new IdleCode("java.util.TimerThread", "mainLoop"),
            new IdleCode("java.lang.ref.ReferenceQueue", "remove"),
            new IdleCode("java.lang.ref.Reference", "waitForReferencePendingList"),
            new IdleCode("java.lang.VirtualThread", "takeVirtualThreadListToUnblock"),
            // What virtual threads wait for: JDK 21 and 25 name its loops differently.
            new IdleCode("sun.nio.ch.Poller", "pollLoop"),
            new IdleCode("sun.nio.ch.Poller", "pollerLoop"),
            new IdleCode("sun.nio.ch.Poller", "subPollerLoop"),
            new IdleCode("sun.nio.ch.Poller", "updateLoop"));

    /** Pools and servers that wait in code of their own: the first frame that is not the JDK's is one of these. */
    private static final List<IdleCode> OTHERS = List.of(
            // Tomcat
            new IdleCode("org.apache.tomcat.util.threads.TaskQueue", ""),
            new IdleCode("org.apache.tomcat.util.threads.ThreadPoolExecutor", "getTask"),
            new IdleCode("org.apache.catalina.core.StandardServer", "await"),
            // Jetty
            new IdleCode("org.eclipse.jetty.util.BlockingArrayQueue", ""),
            new IdleCode("org.eclipse.jetty.util.thread.QueuedThreadPool", ""),
            new IdleCode("org.eclipse.jetty.util.thread.ReservedThreadExecutor", ""),
            new IdleCode("org.eclipse.jetty.util.thread.strategy.", ""),
            new IdleCode("org.eclipse.jetty.util.thread.Scheduler", ""),
            // Undertow, WildFly, Quarkus
            new IdleCode("org.jboss.threads.EnhancedQueueExecutor", ""),
            // Netty, Vert.x
            new IdleCode("io.netty.util.concurrent.SingleThreadEventExecutor", "takeTask"),
            new IdleCode("io.netty.util.concurrent.GlobalEventExecutor", "takeTask"),
            new IdleCode("io.netty.util.HashedWheelTimer", ""),
            new IdleCode("io.netty.channel.epoll.Native", "epollWait"),
            new IdleCode("io.netty.channel.uring.Native", ""),
            new IdleCode("org.apache.logging.log4j.core.async.TimeoutBlockingWaitStrategy", "waitFor"),
            // LMAX Disruptor, which Log4j has
            new IdleCode("com.lmax.disruptor.", "waitFor"),
            new IdleCode("com.lmax.disruptor.SleepingWaitStrategy", "applyWaitMethod"),
            // Cats Effect, ZIO
            new IdleCode("cats.effect.unsafe.WorkerThread", ""),
            new IdleCode("zio.internal.ZScheduler", ""),
            // Kotlin's coroutines
            new IdleCode("kotlinx.coroutines.scheduling.CoroutineScheduler", ""));

    /** Loggers that write on a thread of their own. It has lines and no request, whatever it does. */
    private static final List<String> WRITERS = List.of(
            "ch.qos.logback.core.AsyncAppenderBase$Worker",
            "org.apache.logging.log4j.core.appender.AsyncAppenderEventDispatcher",
            "org.apache.logging.log4j.core.appender.AsyncAppender$AsyncThread",
            "com.lmax.disruptor.BatchEventProcessor",
            "org.apache.log4j.AsyncAppender$Dispatcher",
            "org.jboss.logmanager.handlers.AsyncHandler$AsyncThread",
            "org.tinylog.core.WritingThread");

    /** Servers that may give each connection a thread, with their request parsers. */
    private static final List<String> SERVERS = List.of(
            "com.sun.net.httpserver.",
            "sun.net.httpserver.",
            "org.apache.coyote.",
            "org.apache.tomcat.",
            "org.eclipse.jetty.",
            "org.springframework.boot.",
            "io.helidon.",
            "org.glassfish.",
            "org.simpleframework.",
            "io.undertow.",
            "org.xnio.");

    /** XNIO lets a worker wait for its own peer in a selector. */
    private static final List<String> SELECTS_ONE = List.of("org.xnio.nio.SelectorUtils");

    private IdleThreads() {}

    /** Tells whether a thread is idle, by its frames, their kind, and the operation of a socket. */
    static boolean has(DumpedThread thread, InnerFrames inner, WaitKind kind, String operation) {
        if (thread.frames().isEmpty()
                || thread.frames().stream().anyMatch(frame -> frame.isOf(WRITERS))
                || inner.frames().stream().anyMatch(frame -> isOne(JDK, frame))) {
            return true;
        }
        Optional<DumpedFrame> own = thread.ownFrame();
        if (own.filter(frame -> isOne(OTHERS, frame)).isPresent()) {
            return kind != WaitKind.RUNNABLE || own.get().isNative();
        }
        return kind == WaitKind.SOCKET
                && switch (operation) {
                    case "accept" -> true;
                    case "select" ->
                        own.filter(frame -> frame.isOf(SELECTS_ONE)).isEmpty();
                    case "read" -> isServers(thread);
                    default -> false;
                };
    }

    private static boolean isOne(List<IdleCode> some, DumpedFrame frame) {
        return some.stream().anyMatch(code -> code.is(frame));
    }

    /** A frame of the application means that it reads the body of its request. */
    private static boolean isServers(DumpedThread thread) {
        return thread.frames().stream().anyMatch(frame -> frame.isOf(SERVERS))
                && thread.frames().stream().allMatch(frame -> frame.isJdk() || frame.isOf(SERVERS));
    }
}
