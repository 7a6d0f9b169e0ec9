package dev.kiln.jvm.threads;

import dev.kiln.jvm.threads.DumpedThread.DumpedFrame;
import dev.kiln.jvm.threads.DumpedThread.DumpedObject;
import dev.kiln.jvm.threads.DumpedThread.DumpedState;
import dev.kiln.jvm.threads.DumpedThread.KernelThread;
import dev.kiln.jvm.threads.DumpedThread.ObjectWait;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A ThreadPrint is the answer to {@code Thread.print}, of JDK 17 to 25. It has a paragraph for each platform thread: a line
 * with its name, one with its state, and its frames. Below a frame stand the monitors that it entered or waits for.
 *
 * <p>Threads without a number are not Java's, and are left out. From JDK 24 on a second stack follows that of a carrier: that
 * of the virtual thread on it, which becomes a thread of its own.
 */
public final class ThreadPrint {
    /** The name may contain quotes. Before JDK 19 there is no {@code [tid]}. */
    private static final Pattern HEADER = Pattern.compile("^\"(.*)\" #(\\d{1,18}) ");

    /** JDK 17 writes the kernel's id of a thread as {@code nid=0xe85}, and later ones as {@code nid=3716}. */
    private static final Pattern KERNELS =
            Pattern.compile(" cpu=(\\d{1,11})\\.(\\d\\d)ms .* nid=(0x[0-9a-f]{1,8}|\\d{1,9})\\b");

    /**
     * The first lines have the JVM's name and version: {@code OpenJDK 64-Bit Server VM (25.0.3+9-LTS mixed mode)}. Java 8 has that of
     * HotSpot alone, which is no feature version: {@code (25.402-b06 mixed mode)}.
     */
    private static final Pattern VERSION =
            Pattern.compile("^Full thread dump .*\\((?!\\d{1,3}\\.\\d{1,3}-b)(\\d{1,3})[-.+ ]");

    private static final Pattern STATE = Pattern.compile("^ {3}java\\.lang\\.Thread\\.State: ([A-Z_]+)");
    private static final Pattern CARRIES = Pattern.compile("^ {3}Carrying virtual thread #(\\d{1,18})");
    private static final Pattern MOUNTED = Pattern.compile("^ {3}Mounted virtual thread (?:\"(.*)\" )?#(\\d{1,18})");

    /** The place is {@code module@version/File.java:line}, {@code Native Method} or {@code Unknown Source}. */
    private static final Pattern FRAME = Pattern.compile("^\\tat (.+)\\.([^.(]+)\\((.*)\\)$");

    private static final Pattern LINE = Pattern.compile(":(\\d+)$");

    /** The JVM may know no object, or only its class. */
    private static final Pattern OBJECT = Pattern.compile(
            "^\\t- (locked|waiting to lock|waiting to re-lock in wait\\(\\)|waiting on|parking to wait for) +<(.+?)>(?: \\(a (.+)\\))?$");

    private static final Pattern INITIALISED =
            Pattern.compile("^\\t- waiting on the Class initialization monitor for (.+)$");

    /** The address of a hidden class is another one in each process. */
    private static final Pattern HIDDEN = Pattern.compile("(?:/0x[0-9a-fA-F]+|\\+0x[0-9a-fA-F]+)");

    /** A process that only claims to be a JVM may write lines that would take hours to read. */
    private static final int LONGEST_LINE = 4_000;

    /** Some ten thousand threads. */
    private static final int MOST_LINES = 2_000_000;

    private final List<DumpedThread> threads = new ArrayList<>();
    private Optional<Paragraph> open = Optional.empty();

    private ThreadPrint() {}

    /** Returns the threads in the order of the text; none if it is no thread dump. */
    public static List<DumpedThread> parse(String text) {
        ThreadPrint print = new ThreadPrint();
        text.lines().limit(MOST_LINES).map(ThreadPrint::bounded).forEach(print::line);
        print.end();
        return List.copyOf(print.threads);
    }

    private static String bounded(String line) {
        return line.length() > LONGEST_LINE ? line.substring(0, LONGEST_LINE) : line;
    }

    /** Returns the feature version of the JVM; empty where the text does not have it. */
    public static OptionalInt feature(String text) {
        return text.lines()
                .limit(5)
                .map(VERSION::matcher)
                .filter(Matcher::find)
                .mapToInt(version -> Integer.parseInt(version.group(1)))
                .findFirst();
    }

    private void line(String line) {
        if (line.startsWith("\"") || line.isEmpty()) {
            end();
            Matcher header = HEADER.matcher(line);
            if (header.find()) {
                open = Optional.of(new Paragraph(
                        header.group(1), false, Long.parseLong(header.group(2)), kernels(line, header.end() - 1)));
            }
            return;
        }
        Matcher mounted = MOUNTED.matcher(line);
        if (mounted.find() && open.isPresent()) {
            end();
            String name = Optional.ofNullable(mounted.group(1)).orElse("");
            open = Optional.of(new Paragraph(name, true, Long.parseLong(mounted.group(2)), Optional.empty()));
            return;
        }
        open.ifPresent(paragraph -> paragraph.line(line));
    }

    private static Optional<KernelThread> kernels(String line, int from) {
        Matcher thread = KERNELS.matcher(line);
        return thread.find(from)
                ? Optional.of(new KernelThread(
                        Long.decode(thread.group(3)),
                        Long.parseLong(thread.group(1) + thread.group(2)) * KernelThread.CPU_STEP_NANOS))
                : Optional.empty();
    }

    private void end() {
        open.map(Paragraph::thread).ifPresent(threads::add);
        open = Optional.empty();
    }

    static String type(String name) {
        return HIDDEN.matcher(name).replaceAll("");
    }

    /** A Paragraph is the lines of one thread. */
    private static final class Paragraph {
        private final String name;
        private final boolean virtual;
        private final long number;
        private final Optional<KernelThread> kernels;
        private final List<DumpedFrame> frames = new ArrayList<>();
        private final Set<String> owned = new HashSet<>();
        private DumpedState state = DumpedState.UNKNOWN;
        private OptionalLong carries = OptionalLong.empty();
        private Optional<DumpedObject> monitor = Optional.empty();
        private Optional<DumpedObject> notice = Optional.empty();
        private Optional<DumpedObject> blocker = Optional.empty();
        private Optional<String> initialised = Optional.empty();

        Paragraph(String name, boolean virtual, long number, Optional<KernelThread> kernels) {
            this.name = name;
            this.virtual = virtual;
            this.number = number;
            this.kernels = kernels;
        }

        void line(String line) {
            Matcher frame = FRAME.matcher(line);
            Matcher object = OBJECT.matcher(line);
            Matcher init = INITIALISED.matcher(line);
            Matcher stateLine = STATE.matcher(line);
            Matcher carrier = CARRIES.matcher(line);
            if (frame.find()) {
                frames.add(frame(frame.group(1), frame.group(2), frame.group(3)));
            } else if (init.find()) {
                initialised = Optional.of(type(init.group(1)));
            } else if (object.find()) {
                object(object.group(1), object.group(2), Optional.ofNullable(object.group(3)));
            } else if (stateLine.find()) {
                state = state(stateLine.group(1));
            } else if (carrier.find()) {
                carries = OptionalLong.of(Long.parseLong(carrier.group(1)));
            }
        }

        private static DumpedFrame frame(String type, String method, String place) {
            Matcher number = LINE.matcher(place);
            return new DumpedFrame(
                    type(type), method, number.find() ? number.group(1) : "", place.endsWith("Native Method"));
        }

        private void object(String how, String id, Optional<String> type) {
            Optional<DumpedObject> object = type.map(name -> new DumpedObject(id, type(name)));
            switch (how) {
                case "locked" -> owned.add(id);
                case "waiting on" -> notice = object;
                case "parking to wait for" -> blocker = object;
                default -> monitor = object;
            }
        }

        /** Who waits for a notification, or to enter again after it, stands in the monitor's block and does not hold it. */
        DumpedThread thread() {
            notice.map(DumpedObject::id).ifPresent(owned::remove);
            monitor.map(DumpedObject::id).ifPresent(owned::remove);
            return new DumpedThread(
                    name,
                    virtual,
                    number,
                    state,
                    frames,
                    new ObjectWait(monitor, notice, blocker, initialised),
                    owned,
                    carries,
                    kernels);
        }
    }

    /** Returns the state of that name, which is one of {@link Thread.State}. */
    static DumpedState state(String name) {
        return switch (name) {
            case "RUNNABLE" -> DumpedState.RUNNABLE;
            case "BLOCKED" -> DumpedState.BLOCKED;
            case "WAITING", "TIMED_WAITING" -> DumpedState.WAITING;
            default -> DumpedState.UNKNOWN;
        };
    }
}
