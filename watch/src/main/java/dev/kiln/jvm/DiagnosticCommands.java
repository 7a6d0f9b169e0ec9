package dev.kiln.jvm;

import dev.kiln.jvm.Reply.Refusal;
import dev.kiln.jvm.Reply.Refusal.RefusalReason;
import dev.kiln.model.run.JitState.CodeCacheFill;
import dev.kiln.model.run.JitState.CodeHeap;
import dev.kiln.model.run.JitState.CodeLevels;
import dev.kiln.model.run.JitState.Deoptimisations;
import dev.kiln.model.run.JitState.HeapKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** DiagnosticCommands are those of {@code jcmd PID help}; bench/jit-probe/RESULTS.md has their costs. One thread. */
public final class DiagnosticCommands {
    private final AttachSocket socket;
    private final CodeList codeList = new CodeList();
    private final DeoptimisationLog deoptimisations = new DeoptimisationLog();

    public DiagnosticCommands(AttachSocket socket) {
        this.socket = socket;
    }

    /** Returns the queues of methods that wait for compilation. The question takes a safepoint. */
    public Reply<CompileQueues> queue() {
        return parsed(CompileQueues::parse, "Compiler.queue");
    }

    /**
     * Returns the compiled methods in use by level, and what of C2's code was thrown away since the first question.
     * Code that came and went between two questions is not known. The JVM holds the lock of its code cache while it
     * answers, so ask seldom.
     */
    public Reply<CodeLevels> levels() {
        return bytes("Compiler.codelist").then(list -> understood(codeList.levels(list), "Compiler.codelist"));
    }

    /** Methods with compiled code in use, as {@link CompiledCode} names them, with its highest level. It takes the same lock. */
    public Reply<Map<String, Integer>> compiled() {
        return parsed(CompiledCode::parse, "Compiler.codelist");
    }

    public Reply<CodeCacheFill> codeCache() {
        return parsed(CodeCacheText::parse, "Compiler.codecache");
    }

    /** Returns what code was left since the last question, as far as the JVM knows, without a safepoint. */
    public Reply<Deoptimisations> deoptimisations() {
        return raw("VM.uptime").then(uptime -> {
            if (!deoptimisations.clock(uptime, System.nanoTime())) {
                return understood(Optional.empty(), "VM.uptime");
            }
            return raw("VM.events", "log=deopt")
                    .then(said -> understood(deoptimisations.since(said, System.nanoTime()), "VM.events"));
        });
    }

    /** Returns the flags that are not as built in: those given, and those chosen at the JVM's start. */
    public Reply<List<String>> flags() {
        return raw("VM.flags")
                .then(text -> understood(
                        Optional.of(Stream.of(text.split("\\s+"))
                                        .filter(word -> word.startsWith("-XX:"))
                                        .toList())
                                .filter(flags -> !flags.isEmpty()),
                        "VM.flags"));
    }

    /** Asks any command in words, blanks of values in double quotes, and returns what the JVM said. */
    public Reply<String> raw(String... words) {
        return bytes(words).then(said -> new Reply.ToldReply<>(AttachSocket.text(said)));
    }

    private <T> Reply<T> parsed(Function<String, Optional<T>> parse, String... words) {
        return raw(words).then(text -> understood(parse.apply(text), words[0]));
    }

    private Reply<byte[]> bytes(String... words) {
        return socket.ask("jcmd", String.join(" ", words));
    }

    private static <T> Reply<T> understood(Optional<T> value, String command) {
        return value.isPresent()
                ? new Reply.ToldReply<>(value.get())
                : new Refusal(RefusalReason.NOT_UNDERSTOOD, "the JVM's answer to " + command + " was not understood")
                        .reply();
    }

    /**
     * A CodeList is the answer to {@code Compiler.codelist}, a line for each compiled method:
     * {@code id level state signature [addresses]}. It has megabytes in a large program, so it is counted without
     * making strings.
     */
    static final class CodeList {
        /** The state of code that may be entered: the only state with the same number in all versions. */
        private static final int IN_USE = '0';

        private static final int C2 = 4;

        /** Beyond it an id is none: a JVM that compiled so much is not known. */
        private static final int MOST_IDS = 1 << 24;

        /** Ids of all code of C2 that was ever listed: no other compilation gets the same. */
        private final BitSet byC2 = new BitSet();

        /** Counts the lines by level; empty if no line has this form. Level 0 are wrappers of native methods. */
        Optional<CodeLevels> levels(byte[] list) {
            int[] counts = new int[5];
            boolean any = false;
            int position = 0;
            while (position < list.length) {
                int id = digits(list, position);
                if (id > position
                        && id + 4 < list.length
                        && list[id] == ' '
                        && list[id + 2] == ' '
                        && list[id + 4] == ' ') {
                    int level = list[id + 1] - '0';
                    any |= level >= 0 && level < counts.length;
                    if (level >= 0 && level < counts.length && list[id + 3] == IN_USE) {
                        counts[level]++;
                    }
                    if (level == C2) {
                        byC2.set(number(list, position, id));
                    }
                }
                position = nextLine(list, id);
            }
            return any || list.length == 0
                    ? Optional.of(new CodeLevels(
                            counts[1],
                            counts[2],
                            counts[3],
                            counts[C2],
                            whole(list)
                                    ? OptionalInt.of(Math.max(0, byC2.cardinality() - counts[C2]))
                                    : OptionalInt.empty()))
                    : Optional.empty();
        }

        /** Tells whether a list has its last line break: in one that was cut short code would seem to be gone. */
        private static boolean whole(byte[] list) {
            return list.length > 0 && list[list.length - 1] == '\n';
        }

        private static int number(byte[] text, int from, int to) {
            int number = 0;
            for (int i = from; i < to && number < MOST_IDS; i++) {
                number = 10 * number + text[i] - '0';
            }
            return Math.min(number, MOST_IDS);
        }

        private static int digits(byte[] text, int from) {
            int i = from;
            while (i < text.length && text[i] >= '0' && text[i] <= '9') {
                i++;
            }
            return i;
        }

        private static int nextLine(byte[] text, int from) {
            int i = from;
            while (i < text.length && text[i] != '\n') {
                i++;
            }
            return i + 1;
        }
    }

    /** CompileQueues count methods that wait for each compiler; empty where the JVM does not have it. */
    public record CompileQueues(OptionalInt c1, OptionalInt c2) {
        private static final String HEAD = " compile queue:";

        /** Parses {@code Compiler.queue}: a head for each queue, then a line a method or {@code Empty}. */
        static Optional<CompileQueues> parse(String text) {
            OptionalInt c1 = OptionalInt.empty();
            OptionalInt c2 = OptionalInt.empty();
            boolean any = false;
            String head = "";
            int length = 0;
            for (String line : (text + "\n" + HEAD).lines().toList()) {
                if (line.endsWith(HEAD)) {
                    c1 = head.equals("C1") ? OptionalInt.of(length) : c1;
                    c2 = head.equals("C2") || head.equals("JVMCI") ? OptionalInt.of(length) : c2;
                    head = line.substring(0, line.length() - HEAD.length()).strip();
                    length = 0;
                } else if (isMethod(line)) {
                    length++;
                }
                any |= line.startsWith("Current compiles:");
            }
            return any || c1.isPresent() || c2.isPresent() ? Optional.of(new CompileQueues(c1, c2)) : Optional.empty();
        }

        /** The line of a method begins with the number of its compilation. */
        private static boolean isMethod(String line) {
            String stripped = line.stripLeading();
            return !stripped.isEmpty() && Character.isDigit(stripped.charAt(0));
        }
    }

    /**
     * A CodeCacheText is the answer to {@code Compiler.codecache}: some lines for each segment, or for the whole cache, and
     * counts in places that differ between versions. The last count of full is that of all segments together; since JDK 28
     * each segment has one of its own as well.
     */
    static final class CodeCacheText {
        private static final Pattern SEGMENT =
                Pattern.compile("^CodeHeap '(.{1,40}?)': size=(\\d{1,12})Kb,? used=(\\d{1,12})Kb");
        private static final Pattern WHOLE = Pattern.compile("(?m)^CodeCache: size=(\\d{1,12})Kb,? used=(\\d{1,12})Kb");
        private static final Pattern FULL = Pattern.compile("\\bfull_count=(\\d{1,9})\\b");
        private static final Pattern STOPPED = Pattern.compile("\\bstopped_count=(\\d{1,9})\\b");

        /** This line gives the blobs of one segment; that of the whole cache begins with {@code total_blobs}. */
        private static final String OF_SEGMENT = " blobs=";

        private CodeCacheText() {}

        static Optional<CodeCacheFill> parse(String text) {
            List<Segment> segments = segments(text);
            Matcher whole = WHOLE.matcher(text);
            if (segments.isEmpty() && whole.find()) {
                segments.add(new Segment("", kib(whole.group(1)), kib(whole.group(2)), OptionalInt.empty()));
            }
            OptionalInt full = last(FULL, text);
            OptionalInt stopped = last(STOPPED, text);
            long size = segments.stream().mapToLong(Segment::size).sum();
            return size > 0 && full.isPresent() && stopped.isPresent()
                    ? Optional.of(new CodeCacheFill(
                            segments.stream().mapToLong(Segment::used).sum(),
                            size,
                            full.getAsInt(),
                            stopped.getAsInt(),
                            segments.stream()
                                    .flatMap(one -> one.heap().stream())
                                    .toList()))
                    : Optional.empty();
        }

        private record Segment(String name, long size, long used, OptionalInt full) {
            /** Returns the segment by its kind; nothing for one that no JVM had when this was written. */
            Optional<CodeHeap> heap() {
                return Arrays.stream(HeapKind.values())
                        .filter(kind -> kind.text().equals(name))
                        .findFirst()
                        .map(kind -> new CodeHeap(kind, used, size, full));
            }
        }

        private static List<Segment> segments(String text) {
            List<Segment> segments = new ArrayList<>();
            for (String line : text.lines().toList()) {
                Matcher begins = SEGMENT.matcher(line);
                if (begins.find()) {
                    segments.add(new Segment(
                            begins.group(1), kib(begins.group(2)), kib(begins.group(3)), OptionalInt.empty()));
                } else if (line.startsWith(OF_SEGMENT) && !segments.isEmpty()) {
                    Segment it = segments.removeLast();
                    segments.add(new Segment(it.name, it.size, it.used, last(FULL, line)));
                }
            }
            return segments;
        }

        private static OptionalInt last(Pattern count, String text) {
            Matcher found = count.matcher(text);
            OptionalInt last = OptionalInt.empty();
            while (found.find()) {
                last = OptionalInt.of(Integer.parseInt(found.group(1)));
            }
            return last;
        }

        private static long kib(String figure) {
            return Long.parseLong(figure) << 10;
        }
    }
}
