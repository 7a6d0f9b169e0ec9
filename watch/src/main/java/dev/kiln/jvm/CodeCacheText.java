package dev.kiln.jvm;

import dev.kiln.model.run.Sample.JitSample.CodeCacheFill;
import dev.kiln.model.run.Sample.JitSample.CodeHeap;
import dev.kiln.model.run.Sample.JitSample.HeapKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A CodeCacheText is the answer to {@code Compiler.codecache}: some lines for each segment, or for the whole cache, and
 * counts in places that differ between versions. The last count of full is that of all segments together; since JDK 28
 * each segment has one of its own as well.
 */
final class CodeCacheText {
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
                        segments.stream().flatMap(one -> one.heap().stream()).toList()))
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
                segments.add(
                        new Segment(begins.group(1), kib(begins.group(2)), kib(begins.group(3)), OptionalInt.empty()));
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
