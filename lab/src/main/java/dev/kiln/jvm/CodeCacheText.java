package dev.kiln.jvm;

import dev.kiln.model.JitSample.CodeCache;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The answer to {@code Compiler.codecache}: a line for each segment, or one for all of it, and counts whose place differs
 * between versions.
 */
final class CodeCacheText {
    private static final Pattern SEGMENT = Pattern.compile("(?m)^CodeHeap '.*?: size=(\\d+)Kb,? used=(\\d+)Kb");
    private static final Pattern WHOLE = Pattern.compile("(?m)^CodeCache: size=(\\d+)Kb,? used=(\\d+)Kb");
    private static final Pattern FULL = Pattern.compile("\\bfull_count=(\\d+)");
    private static final Pattern STOPPED = Pattern.compile("\\bstopped_count=(\\d+)");

    private CodeCacheText() {}

    static Optional<CodeCache> parse(String text) {
        Matcher full = FULL.matcher(text);
        Matcher stopped = STOPPED.matcher(text);
        long size = 0;
        long used = 0;
        Matcher part = SEGMENT.matcher(text);
        if (!part.find()) {
            part.usePattern(WHOLE);
        }
        part.reset();
        while (part.find()) {
            size += Long.parseLong(part.group(1)) << 10;
            used += Long.parseLong(part.group(2)) << 10;
        }
        return size > 0 && full.find() && stopped.find()
                ? Optional.of(
                        new CodeCache(used, size, Integer.parseInt(full.group(1)), Integer.parseInt(stopped.group(1))))
                : Optional.empty();
    }
}
