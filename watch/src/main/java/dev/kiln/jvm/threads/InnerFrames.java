package dev.kiln.jvm.threads;

import dev.kiln.jvm.threads.DumpedThread.DumpedFrame;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** InnerFrames are the frames of the JDK above the first frame that is not the JDK's: what the program has called. */
record InnerFrames(List<DumpedFrame> frames) {
    private static final List<String> SOCKETS = List.of(
            "sun.nio.ch.NioSocketImpl",
            "sun.nio.ch.SocketChannelImpl",
            "sun.nio.ch.ServerSocketChannelImpl",
            "sun.nio.ch.DatagramChannelImpl",
            "sun.nio.ch.SocketDispatcher",
            "sun.nio.ch.UnixDomainSockets",
            "sun.nio.ch.Net",
            "java.net.Socket",
            "java.net.ServerSocket",
            "java.net.PlainSocketImpl",
            // Its selector waits for the network in the place of the thread that sends.
            "jdk.internal.net.http.");

    private static final List<String> SELECTORS =
            List.of("sun.nio.ch.EPoll", "sun.nio.ch.SelectorImpl", "sun.nio.ch.PollSelectorImpl");

    private static final List<String> FILES = List.of(
            "java.io.FileInputStream",
            "java.io.FileOutputStream",
            "java.io.RandomAccessFile",
            "java.io.FileDescriptor",
            "java.io.UnixFileSystem",
            "java.io.FileCleanable",
            "sun.nio.ch.FileDispatcherImpl",
            "sun.nio.ch.UnixFileDispatcherImpl",
            "sun.nio.ch.FileChannelImpl",
            "sun.nio.fs.UnixNativeDispatcher");

    private static final List<String> LOOKUPS = List.of(
            "java.net.Inet4AddressImpl", "java.net.Inet6AddressImpl", "java.net.InetAddress$NameServiceAddresses");

    /** These are the blocking queues of java.util.concurrent, and classes inside them. */
    private static final Pattern QUEUES = Pattern.compile(
            "(java\\.util\\.concurrent\\.(?:(?:Linked|Array|Priority)Blocking(?:Queue|Deque)|DelayQueue"
                    + "|SynchronousQueue|LinkedTransferQueue|ScheduledThreadPoolExecutor\\$DelayedWorkQueue))(?:\\$.*)?");

    /** Methods of a queue that put something into it begin with one of these; {@code xfer} is inside both kinds. */
    private static final List<String> PUTS = List.of("put", "offer", "add", "transfer", "tryTransfer");

    private static final List<String> TASKS = List.of(
            "java.util.concurrent.FutureTask",
            "java.util.concurrent.CompletableFuture",
            "java.util.concurrent.ForkJoinTask");

    /** What a future's methods that wait for its result are named for. Others run its task. */
    private static final List<String> AWAITS = List.of("get", "join", "await", "waiting", "timed");

    private static final String LOCK = "java.util.concurrent.locks.ReentrantLock";

    private static final String PARKING = "java.util.concurrent.locks.LockSupport";

    private static final Set<String> TIMED_PARKS = Set.of("parkNanos", "parkUntil");

    static final String CONNECT = "connect";

    private static final Set<String> SLEEPS = Set.of("sleep", "sleep0", "sleepNanos", "sleepNanos0");

    /** Object.wait is {@code wait} in JDK 17; from JDK 19 on {@code wait0} is below it. */
    private static final Set<String> WAITS = Set.of("wait", "wait0");

    /** A method is named for what it does: {@code read0}, {@code implRead}, {@code timedFinishConnect}. */
    private static final List<String> OPERATIONS = List.of("accept", CONNECT, "receive", "send", "read", "write");

    private static final Pattern DIGITS = Pattern.compile("\\d+$");

    static InnerFrames of(DumpedThread thread) {
        return new InnerFrames(
                thread.frames().stream().takeWhile(DumpedFrame::isJdk).toList());
    }

    boolean sockets() {
        return any(SOCKETS);
    }

    boolean selectors() {
        return any(SELECTORS);
    }

    boolean lookups() {
        return any(LOOKUPS);
    }

    /** Tells whether the innermost frame is one that reads or writes a file: a native one, with nothing above it. */
    boolean file() {
        return isNative() && frames.getFirst().isOf(FILES);
    }

    /** Tells whether the innermost frame is one that reads, writes or connects a socket at once, and does not wait until it is ready. */
    boolean callsSocket() {
        return isNative()
                && frames.getFirst().isOf(SOCKETS)
                && !frames.getFirst().method().startsWith("poll");
    }

    boolean isNative() {
        return !frames.isEmpty() && frames.getFirst().isNative();
    }

    boolean parks() {
        return frames.stream()
                .anyMatch(frame -> frame.method().startsWith("park")
                        && (frame.type().equals("jdk.internal.misc.Unsafe")
                                || frame.type().equals("java.lang.VirtualThread")));
    }

    boolean sleeps() {
        return frames.stream()
                .anyMatch(frame -> SLEEPS.contains(frame.method())
                        && (frame.type().equals("java.lang.Thread")
                                || frame.type().equals("java.lang.VirtualThread")));
    }

    /** Tells whether it wants room for a direct buffer: the JDK asks for a collection there, and sleeps until some is freed. */
    boolean awaitsDirectMemory() {
        return frames.stream().anyMatch(frame -> frame.type().equals("java.nio.Bits"));
    }

    boolean awaitsNotice() {
        return frames.stream()
                .anyMatch(
                        frame -> WAITS.contains(frame.method()) && frame.type().equals("java.lang.Object"));
    }

    /** Tells whether the thread wants a lock, and not what happens once it has it. */
    boolean wantsLock() {
        return !awaitsCondition()
                && frames.stream().anyMatch(frame -> frame.type().equals(LOCK));
    }

    boolean awaitsCondition() {
        return frames.stream().anyMatch(frame -> frame.type().endsWith("$ConditionObject"));
    }

    /** Returns the class of the queue that the program called. */
    Optional<String> queue() {
        return frames.stream()
                .map(frame -> QUEUES.matcher(frame.type()))
                .filter(Matcher::matches)
                .map(queue -> queue.group(1))
                .reduce((innermost, outer) -> outer);
    }

    /** Tells whether the program called a method of the queue that puts something into it. */
    boolean putsIntoQueue() {
        return frames.stream()
                .filter(frame -> QUEUES.matcher(frame.type()).matches())
                .reduce((innermost, outer) -> outer)
                .filter(called -> PUTS.stream().anyMatch(called.method()::startsWith))
                .isPresent();
    }

    /** Tells whether the program asked a future for its result. */
    boolean awaitsTask() {
        return frames.stream()
                .anyMatch(frame -> frame.isOf(TASKS) && AWAITS.stream().anyMatch(frame.method()::startsWith));
    }

    /** Returns the method if the program itself called one that parks for a time. */
    Optional<String> parksForATime() {
        return frames.isEmpty()
                ? Optional.empty()
                : Optional.of(frames.getLast())
                        .filter(called -> called.type().equals(PARKING) && TIMED_PARKS.contains(called.method()))
                        .map(DumpedFrame::method);
    }

    /** Returns the class that the program called. */
    String called() {
        return frames.isEmpty() ? "" : frames.getLast().type();
    }

    /**
     * Returns what is done to a socket, by the innermost method that is named for it. Only methods of sockets count: a virtual thread
     * waits in {@code parkVirtualThread}, in which there is a "read".
     */
    String socketOperation() {
        return frames.stream()
                .filter(frame -> frame.isOf(SOCKETS))
                .map(frame -> frame.method().toLowerCase(Locale.ROOT))
                .flatMap(method -> OPERATIONS.stream().filter(method::contains).limit(1))
                .findFirst()
                .orElse("");
    }

    /** Returns what is done to a file: {@code force0} is {@code force}. */
    String fileOperation() {
        String method = DIGITS.matcher(frames.getFirst().method()).replaceFirst("");
        return OPERATIONS.stream()
                .filter(method.toLowerCase(Locale.ROOT)::contains)
                .findFirst()
                .orElse(method);
    }

    private boolean any(List<String> prefixes) {
        return frames.stream().anyMatch(frame -> frame.isOf(prefixes));
    }
}
