package dev.kiln.explain.cause;

import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.run.JitState.CodeCacheFill;
import dev.kiln.model.run.JitState.CodeHeap;
import dev.kiln.model.run.JitState.HeapKind;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.stats.Descriptive;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A CodeCacheUse is what the code cache held, as the JVM told it again and again.
 *
 * @param asked all answers that have it, up to the first one after the window: it tells of the window's end
 * @param within those of the window
 * @param compiler the compilers' counters in the window
 * @param later the last answer of the run, if it is none of these
 */
record CodeCacheUse(
        List<JitSample> asked, List<JitSample> within, List<CompilerSample> compiler, Optional<JitSample> later) {
    /** A code cache, or a segment, is full from this share in use: HotSpot begins to flush cold code when less than a tenth is free. */
    private static final double FULL = 0.95;

    static CodeCacheUse of(WindowEvidence s) {
        List<JitSample> all = s.evidence().jit().stream()
                .filter(sample -> sample.codeCache().isPresent())
                .toList();
        long until = all.stream()
                .mapToLong(JitSample::timeNanos)
                .filter(time -> time >= s.window().toNanos())
                .min()
                .orElse(Long.MAX_VALUE);
        List<JitSample> asked =
                all.stream().filter(sample -> sample.timeNanos() <= until).toList();
        return new CodeCacheUse(
                asked,
                s.within(asked, JitSample::timeNanos),
                s.within(s.evidence().compiler(), CompilerSample::timeNanos),
                asked.size() < all.size() ? Optional.of(all.getLast()) : Optional.empty());
    }

    /** Returns the last of at least one answer. */
    CodeCacheFill last() {
        return fill(asked.getLast());
    }

    static boolean isFull(CodeCacheFill cache) {
        return share(cache) >= FULL;
    }

    static CodeCacheFill fill(JitSample sample) {
        return sample.codeCache().orElseThrow();
    }

    private static double share(CodeCacheFill cache) {
        return cache.sizeBytes() > 0 ? (double) cache.usedBytes() / cache.sizeBytes() : 0;
    }

    /**
     * Returns the segments that were full at any answer of the window, or at the last one, each as it was at its fullest. Methods
     * are copied into the hot one, so it may be full without harm.
     */
    List<CodeHeap> fullSegments() {
        Map<HeapKind, CodeHeap> fullest = new EnumMap<>(HeapKind.class);
        (within.isEmpty() ? asked.subList(asked.size() - 1, asked.size()) : within)
                .stream()
                        .flatMap(sample -> fill(sample).heaps().stream())
                        .filter(heap -> heap.kind() != HeapKind.HOT && heap.share() >= FULL)
                        .forEach(heap -> fullest.merge(
                                heap.kind(), heap, (one, other) -> other.share() > one.share() ? other : one));
        return List.copyOf(fullest.values());
    }

    /** Returns the share in use in the middle of the answers of the window; 0 without any. */
    double median() {
        return Descriptive.median(within.stream().mapToDouble(sample -> share(fill(sample))))
                .orElse(0);
    }

    /** Tells whether less was in use at one answer of the window than at the one before. */
    boolean fell() {
        return shrunk(within) > 0;
    }

    /**
     * Returns how much code left the cache in the window, at the least: by how much its use fell between answers, or, if
     * that is more, what the compilers made beyond its growth. A method also takes room beside its machine code, which
     * is all that the compilers count.
     */
    long flushedBytes() {
        if (within.size() < 2) {
            return 0;
        }
        long grown =
                fill(within.getLast()).usedBytes() - fill(within.getFirst()).usedBytes();
        List<CompilerSample> between = compiler.stream()
                .filter(sample -> sample.timeNanos() >= within.getFirst().timeNanos()
                        && sample.timeNanos() <= within.getLast().timeNanos())
                .toList();
        long made = between.isEmpty()
                ? 0
                : between.getLast().codeBytes() - between.getFirst().codeBytes();
        return Math.max(shrunk(within), made - grown);
    }

    /** Returns by how much in sum the use fell from one answer to the next. */
    static long shrunk(List<JitSample> answers) {
        long sum = 0;
        for (int i = 1; i < answers.size(); i++) {
            sum += Math.max(
                    0,
                    fill(answers.get(i - 1)).usedBytes() - fill(answers.get(i)).usedBytes());
        }
        return sum;
    }

    /** Returns the counts of what happened before the process was watched: they go on from its start, which may be days ago. */
    CodeCacheFill before(WindowEvidence s) {
        CodeCacheFill first = fill(asked.getFirst());
        return s.evidence().info().attached().isPresent() || s.whole()
                ? first
                : new CodeCacheFill(first.usedBytes(), first.sizeBytes(), 0, 0, List.of());
    }

    /** Tells whether it was found full, or compilation was stopped, more often than before. */
    static boolean more(CodeCacheFill cache, CodeCacheFill before) {
        return cache.full() > before.full() || cache.stopped() > before.stopped();
    }

    private static String of(long used, long size) {
        return String.format(Locale.ROOT, "%.1f of %.1f MiB", used / 1048576.0, size / 1048576.0);
    }

    static String words(CodeCacheFill cache) {
        return String.format(
                Locale.ROOT,
                "%s in use (%.0f %%); found full %d times, compilation stopped %d times",
                of(cache.usedBytes(), cache.sizeBytes()),
                100 * share(cache),
                cache.full(),
                cache.stopped());
    }

    static String words(CodeHeap heap) {
        return "the segment for " + heap.kind().text() + " had " + of(heap.usedBytes(), heap.sizeBytes()) + " in use"
                + (heap.full().orElse(0) > 0
                        ? ", and was found full " + heap.full().getAsInt() + " times"
                        : "");
    }
}
