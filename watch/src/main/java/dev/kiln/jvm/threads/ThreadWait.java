package dev.kiln.jvm.threads;

import dev.kiln.jvm.threads.DumpedThread.DumpedFrame;
import dev.kiln.jvm.threads.DumpedThread.DumpedObject;
import dev.kiln.jvm.threads.DumpedThread.DumpedState;
import dev.kiln.model.run.CodeFamily;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.WaitKind;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A ThreadWait is what a thread of a dump does. It is told from the object that the thread waits for, and else from its
 * innermost frames. The state alone does not tell: a thread that reads a socket is RUNNABLE.
 *
 * @param detail as {@link WaitKind} says, without an owner
 */
record ThreadWait(WaitKind kind, String detail) {
    /** Who puts something into its ring waits in {@code next} for a free place. */
    private static final String DISRUPTOR = "com.lmax.disruptor.";

    static ThreadWait of(DumpedThread thread) {
        Optional<String> initialised = thread.waits().initialised();
        if (initialised.isPresent()) {
            return new ThreadWait(WaitKind.CLASS_INIT, initialised.get());
        }
        if (thread.state() == DumpedState.BLOCKED || thread.waits().monitor().isPresent()) {
            return within(
                    thread, new ThreadWait(WaitKind.MONITOR, type(thread.waits().monitor())));
        }
        InnerFrames inner = InnerFrames.of(thread);
        ThreadWait wait = of(thread, inner);
        return IdleThreads.has(thread, inner, wait.kind, wait.detail)
                ? new ThreadWait(WaitKind.IDLE, "")
                : within(thread, wait);
    }

    /** Returns what a virtual thread does that is on a carrier. A socket that is not ready never blocks it in a call of the system. */
    static ThreadWait ofMounted(DumpedThread virtual) {
        return InnerFrames.of(virtual).callsSocket() ? runs(virtual) : of(virtual);
    }

    private static ThreadWait within(DumpedThread thread, ThreadWait wait) {
        return LibraryWaits.of(thread, wait.kind)
                .map(library -> new ThreadWait(library, (wait.kind + " " + wait.detail).strip()))
                .orElse(wait);
    }

    private static ThreadWait of(DumpedThread thread, InnerFrames inner) {
        // In the kernel, or parked; else it runs in the code around.
        boolean waits = inner.isNative() || inner.parks() || thread.state() == DumpedState.WAITING;
        if (waits && inner.awaitsDirectMemory()) {
            return new ThreadWait(WaitKind.OTHER, BlockedSample.DIRECT_MEMORY);
        }
        if (waits && inner.lookups()) {
            return new ThreadWait(WaitKind.NAME_LOOKUP, "");
        }
        if (waits && inner.selectors()) {
            return new ThreadWait(WaitKind.SOCKET, "select");
        }
        if (waits && inner.sockets()) {
            String operation = inner.socketOperation();
            return operation.equals(InnerFrames.CONNECT)
                    ? new ThreadWait(WaitKind.CONNECT, "")
                    : new ThreadWait(WaitKind.SOCKET, operation);
        }
        if (inner.file()) {
            return new ThreadWait(WaitKind.FILE, inner.fileOperation());
        }
        if (inner.sleeps()) {
            return new ThreadWait(WaitKind.SLEEP, "");
        }
        if (inner.awaitsNotice()) {
            return new ThreadWait(WaitKind.CONDITION, type(thread.waits().notice()));
        }
        if (inner.parks()) {
            return parked(thread, inner);
        }
        return thread.state() == DumpedState.WAITING ? new ThreadWait(WaitKind.OTHER, "") : runs(thread);
    }

    private static ThreadWait runs(DumpedThread thread) {
        return new ThreadWait(
                WaitKind.RUNNABLE,
                Optional.of(CodeFamily.of(
                                thread.frames().stream().map(DumpedFrame::code).toList()))
                        .filter(CodeFamily::hasPurpose)
                        .map(CodeFamily::id)
                        .orElse(""));
    }

    private static ThreadWait parked(DumpedThread thread, InnerFrames inner) {
        Optional<String> queue = inner.queue();
        // Threads may also want the lock of a queue.
        if (queue.isPresent() && !inner.wantsLock()) {
            return new ThreadWait(inner.putsIntoQueue() ? WaitKind.FULL_QUEUE : WaitKind.QUEUE, queue.get());
        }
        Optional<DumpedFrame> ring = thread.ownFrame()
                .filter(own -> own.type().startsWith(DISRUPTOR) && own.method().startsWith("next"));
        if (ring.isPresent()) {
            return new ThreadWait(WaitKind.FULL_QUEUE, ring.get().type());
        }
        // Where the dump does not tell of states, it does not tell of blockers.
        boolean forNothing = thread.state() == DumpedState.WAITING
                && thread.waits().blocker().isEmpty();
        Optional<String> timed = inner.parksForATime();
        if (forNothing && timed.isPresent()) {
            return new ThreadWait(WaitKind.SLEEP, timed.get());
        }
        // Where the dump has no blocker, the class that the program called says as much.
        String blocker = thread.waits().blocker().map(DumpedObject::type).orElseGet(inner::called);
        WaitKind kind =
                inner.awaitsCondition() ? WaitKind.CONDITION : inner.awaitsTask() ? WaitKind.TASK : WaitKind.PARK;
        return new ThreadWait(kind, blocker);
    }

    private static String type(Optional<DumpedObject> object) {
        return object.map(DumpedObject::type).orElse("");
    }

    /**
     * LibraryWaits are waits inside libraries whose purpose says more than the way in which they wait: loggers, and limiters of a
     * rate. A thread in one waits for a lock, sleeps or writes a file, as any other thread.
     */
    static final class LibraryWaits {
        /**
         * By a method of such a name a logger hands a line on, to a handler, an appender or a stream of the program's own. It also calls
         * code that makes the line, such as {@code toString}: what that waits for is something else.
         */
        private static final Pattern HANDS_ON = Pattern.compile("(?:publish|tryPublish|append|doAppend|write|flush).*");

        private static final List<String> LIMITERS = List.of(
                "com.google.common.util.concurrent.RateLimiter",
                "com.google.common.util.concurrent.SmoothRateLimiter",
                "io.github.resilience4j.ratelimiter.",
                "io.github.bucket4j.");

        /** The simple name of a class that says so itself. One that is "rate limited" or "throttled" calls a limiter. */
        private static final Pattern LIMITER = Pattern.compile("(?:RateLimit|Throttl)(?!ed)|(?:Token|Leaky)Bucket");

        /** Guava's limiter sleeps in it. */
        private static final String GUAVAS_SLEEP = "com.google.common.util.concurrent.Uninterruptibles";

        private LibraryWaits() {}

        /** Returns what a wait of some other kind is for; empty where no library is known. */
        static Optional<WaitKind> of(DumpedThread thread, WaitKind how) {
            return switch (how) {
                case MONITOR, CONDITION, PARK, QUEUE, FULL_QUEUE, SLEEP, OTHER ->
                    limits(thread) ? Optional.of(WaitKind.RATE_LIMIT) : logging(thread);
                case TASK, SOCKET, FILE -> logging(thread);
                case RUNNABLE, IDLE, RATE_LIMIT, LOGGING, CONNECT, NETWORK, NAME_LOOKUP, CLASS_INIT, PINNED ->
                    Optional.empty();
            };
        }

        private static boolean limits(DumpedThread thread) {
            return thread.frames().stream()
                    .dropWhile(frame -> frame.isJdk() || frame.type().equals(GUAVAS_SLEEP))
                    .findFirst()
                    .filter(own -> own.isOf(LIMITERS)
                            || LIMITER.matcher(own.type().substring(own.type().lastIndexOf('.') + 1))
                                    .find())
                    .isPresent();
        }

        /**
         * Returns the kind where the thread waits in a logger's code, or in what a logger has handed a line to. Its innermost frame of a
         * logger is among what the program called, or is the first that is not the JDK's; else the one that this has called
         * tells.
         */
        private static Optional<WaitKind> logging(DumpedThread thread) {
            List<DumpedFrame> above = thread.frames().stream()
                    .takeWhile(frame -> !CodeFamily.LOGGING.has(frame.code()))
                    .toList();
            if (above.size() == thread.frames().size()) {
                return Optional.empty();
            }
            boolean within = above.stream().allMatch(DumpedFrame::isJdk)
                    || HANDS_ON.matcher(above.getLast().method()).matches();
            return within ? Optional.of(WaitKind.LOGGING) : Optional.empty();
        }
    }

    /**
     * IdleThreads are those that have no request. They wait for one in the code of their pool or server, which their frames
     * name: a worker that waits for a task, an event loop, a keep-alive connection's next request, a thread of the JVM.
     */
    static final class IdleThreads {
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
}
