package dev.kiln.importer.program;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource.Span;
import dev.kiln.importer.format.SystemLog;
import dev.kiln.importer.format.SystemLog.LogClock;
import dev.kiln.importer.format.SystemLog.LogContent;
import dev.kiln.importer.format.SystemLog.Sink;
import dev.kiln.importer.format.TimeText;
import dev.kiln.model.run.CollectionCause;
import dev.kiln.model.run.Sample.CollectionSample;
import dev.kiln.model.run.Sample.FullCollections;
import dev.kiln.model.run.Sample.Generations;
import dev.kiln.model.run.Sample.MemorySample;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A GcLog reads the pauses of {@code -Xlog:gc}; times since the JVM's start alone fit no load. */
public final class GcLog {
    /** Tags may be switched off, as by {@code -Xlog:gc:gc.log:time}; then only the number of a collection says what it is. */
    private static final Pattern GC =
            Pattern.compile("\\[gc[ ,\\]].*(?:Using |GC\\(\\d+\\) )|^(?:\\[[^\\]]*\\])+ GC\\(\\d+\\) ");

    public static final Format FORMAT = new Format(
            "-Xlog:gc",
            head -> head.line(
                    200, line -> line.startsWith("[") && GC.matcher(line).find()),
            new Format.OneLog(
                    (file, options) -> of(file),
                    file -> "no pause in it has a time of day; log with -Xlog:gc:file=gc.log:time,uptime,level,tags"));

    private static final Pattern PAUSE =
            Pattern.compile(".*GC\\(\\d+\\) (?:[YyOo]: )?Pause (\\S+)(.*) (\\d{1,9}[.,]\\d{1,6})ms$");

    /** This is the text in brackets behind a pause; {@code System.gc()} has brackets of its own. */
    private static final Pattern BRACKETS = Pattern.compile("\\(((?:[^()]|\\(\\))+)\\)");

    private static final Pattern TIME = Pattern.compile("\\[(\\d{4}-\\d\\d-\\d\\dT[^\\]]+)\\]");

    /** A log with {@code timemillis} in place of {@code time} has times of this form. */
    private static final Pattern MILLIS = Pattern.compile("\\[(\\d{13})ms\\]");

    private GcLog() {}

    /** A GcPause is one pause that is over. */
    private record GcPause(long endNanos, long nanos, String kind, String cause) {}

    public static Optional<SystemLog> of(Path file) {
        long[] span = {Long.MAX_VALUE, Long.MIN_VALUE};
        parse(
                file,
                pause -> {
                    span[0] = Math.min(span[0], pause.endNanos() - pause.nanos());
                    span[1] = Math.max(span[1], pause.endNanos());
                },
                gap -> {});
        return span[1] == Long.MIN_VALUE
                ? Optional.empty()
                : Optional.of(new SystemLog(
                        "-Xlog:gc",
                        LogClock.EPOCH,
                        new Span(span[0], span[1]),
                        LogContent.COLLECTIONS,
                        true,
                        SystemLog.LogMachine.UNKNOWN,
                        (shift, sink) -> read(file, shift, sink)));
    }

    private static void parse(Path file, Consumer<GcPause> pauses, Consumer<String> gaps) {
        try (Lines lines = Lines.of(file)) {
            while (lines.nextRow(gaps)) {
                String text = lines.text();
                Matcher pause = PAUSE.matcher(text);
                if (pause.matches()) {
                    OptionalLong time = time(text);
                    BigDecimal millis = new BigDecimal(pause.group(3).replace(',', '.'));
                    if (time.isPresent()) {
                        pauses.accept(new GcPause(
                                time.getAsLong(),
                                millis.movePointRight(6).longValue(),
                                pause.group(1),
                                cause(pause.group(2))));
                    }
                }
            }
        }
    }

    /** Returns the cause in brackets such as {@code (Normal) (G1 Evacuation Pause)}; a cycle has none. */
    private static String cause(String brackets) {
        return BRACKETS.matcher(brackets)
                .results()
                .map(found -> found.group(1))
                .filter(words -> CollectionCause.of(words) != CollectionCause.OTHER)
                .findFirst()
                .orElse("");
    }

    private static OptionalLong time(String line) {
        Matcher iso = TIME.matcher(line);
        if (iso.find()) {
            return TimeText.nanos(iso.group(1), "iso", ZoneOffset.UTC);
        }
        Matcher millis = MILLIS.matcher(line);
        return millis.find() ? TimeText.nanos(millis.group(1), "ms", ZoneOffset.UTC) : OptionalLong.empty();
    }

    /** Pauses of concurrent collectors, such as for marking, are no collections of their own, and stop the service too. */
    private static void read(Path file, long shiftNanos, Sink sink) {
        long[] counts = new long[5];
        parse(
                file,
                pause -> {
                    boolean young = pause.kind().equals("Young");
                    boolean full = pause.kind().equals("Full");
                    counts[0] += young || full ? 1 : 0;
                    counts[1] += pause.nanos();
                    counts[2]++;
                    counts[3] += full ? 1 : 0;
                    counts[4] += full ? pause.nanos() : 0;
                    sink.append(new MemorySample(
                            pause.endNanos() + shiftNanos,
                            0,
                            0,
                            counts[0],
                            counts[1],
                            counts[2],
                            counts[1],
                            OptionalLong.empty(),
                            Optional.of(new Generations(counts[0] - counts[3], counts[3], counts[4])),
                            Optional.empty()));
                    sink.append(new CollectionSample(
                            pause.endNanos() + shiftNanos,
                            pause.cause(),
                            young || full ? 1 : 0,
                            pause.nanos(),
                            Optional.of(new FullCollections(full ? 1 : 0, full ? pause.nanos() : 0))));
                },
                sink::gap);
    }
}
