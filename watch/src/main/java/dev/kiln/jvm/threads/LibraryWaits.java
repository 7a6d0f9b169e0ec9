package dev.kiln.jvm.threads;

import dev.kiln.jvm.threads.DumpedThread.DumpedFrame;
import dev.kiln.model.run.Sample.WaitKind;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * LibraryWaits are waits inside libraries whose purpose says more than the way in which they wait: loggers, and limiters of a
 * rate. A thread in one waits for a lock, sleeps or writes a file, as any other thread.
 */
final class LibraryWaits {
    private static final List<String> LOGGERS = List.of(
            "java.util.logging.",
            "jdk.internal.logger.",
            "sun.util.logging.",
            "ch.qos.logback.",
            "org.apache.logging.log4j.",
            "org.apache.log4j.",
            "org.jboss.logmanager.",
            "org.tinylog.",
            "org.slf4j.",
            "org.apache.commons.logging.");

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
                .takeWhile(frame -> !frame.isOf(LOGGERS))
                .toList();
        if (above.size() == thread.frames().size()) {
            return Optional.empty();
        }
        boolean within = above.stream().allMatch(DumpedFrame::isJdk)
                || HANDS_ON.matcher(above.getLast().method()).matches();
        return within ? Optional.of(WaitKind.LOGGING) : Optional.empty();
    }
}
