package dev.kiln.explain.cause;

import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.run.JitState.CodeCacheFill;
import dev.kiln.model.run.JitState.CodeHeap;
import dev.kiln.model.run.JitState.HeapKind;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.stats.Descriptive;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A CodeCacheUse is what the code cache held, as the JVM told it again and again.
 *
 * @param asked all answers of the run that have it
 * @param within those of the window
 * @param compiler the compilers' counters in the window
 */
record CodeCacheUse(List<JitSample> asked, List<JitSample> within, List<CompilerSample> compiler) {
    static CodeCacheUse of(WindowEvidence s) {
        List<JitSample> asked = s.evidence().jit().stream()
                .filter(sample -> sample.codeCache().isPresent())
                .toList();
        return new CodeCacheUse(
                asked,
                s.within(asked, JitSample::timeNanos),
                s.within(s.evidence().compiler(), CompilerSample::timeNanos));
    }

    static CodeCacheFill fill(JitSample sample) {
        return sample.codeCache().orElseThrow();
    }

    static double share(CodeCacheFill cache) {
        return cache.sizeBytes() > 0 ? (double) cache.usedBytes() / cache.sizeBytes() : 0;
    }

    /**
     * Returns the segment that was fullest at any answer of the window, or at the last one of the run. Methods are
     * copied into the hot one, so it may be full without harm.
     */
    Optional<CodeHeap> fullest() {
        return (within.isEmpty() ? asked.subList(asked.size() - 1, asked.size()) : within)
                .stream()
                        .flatMap(sample -> fill(sample).heaps().stream())
                        .filter(heap -> heap.kind() != HeapKind.HOT)
                        .max(Comparator.comparingDouble(CodeHeap::share));
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

    static String of(long used, long size) {
        return String.format(Locale.ROOT, "%.1f of %.1f MiB", used / 1048576.0, size / 1048576.0);
    }

    static String words(CodeHeap heap) {
        return "the segment for " + heap.kind().text() + " had " + of(heap.usedBytes(), heap.sizeBytes()) + " in use"
                + (heap.full().orElse(0) > 0
                        ? ", and was found full " + heap.full().getAsInt() + " times"
                        : "");
    }
}
