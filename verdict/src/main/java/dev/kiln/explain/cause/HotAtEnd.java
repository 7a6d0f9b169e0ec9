package dev.kiln.explain.cause;

import dev.kiln.model.run.FlightDigest.HotMethod;
import dev.kiln.stats.AnalysisConfig;
import java.util.List;
import java.util.Locale;

/**
 * A HotAtEnd is one method at the end.
 *
 * @param slow share of all samples in which it was interpreted, or ran as code of C1
 */
record HotAtEnd(String method, int interpreted, int c1, int c2, int level, int deepest, double slow) {
    /** A method is hot from this share of the samples: the relative difference that counts as one. */
    static final double SHARE = AnalysisConfig.DELTA;

    /** C2's code has this level. */
    private static final int C2 = 4;

    /** Fewer samples of a method say nothing of it. */
    private static final int LEAST_SAMPLES = 20;

    /** HotSpot compiles no method of more bytes of bytecode (its flag HugeMethodLimit, which has no other value in a product). */
    private static final int HUGE_BYTES = 8_000;

    static HotAtEnd of(String method, List<HotMethod> rows, int all) {
        int interpreted = rows.stream().mapToInt(HotMethod::interpreted).sum();
        int c1 = rows.stream().mapToInt(HotMethod::c1).sum();
        return new HotAtEnd(
                method,
                interpreted,
                c1,
                rows.stream().mapToInt(HotMethod::c2).sum(),
                rows.stream().mapToInt(HotMethod::level).max().orElse(0),
                rows.stream().mapToInt(HotMethod::deepest).max().orElse(0),
                (double) (interpreted + c1) / all);
    }

    private boolean hot() {
        return slow >= SHARE && interpreted + c1 >= LEAST_SAMPLES && c2 == 0;
    }

    /** Tells whether it may be left to C1, or has too few samples to tell anything. */
    boolean isOpen() {
        return leftToC1() || (slow >= SHARE && interpreted + c1 < LEAST_SAMPLES && c2 == 0);
    }

    boolean neverCompiled() {
        return hot() && level == 0 && c1 == 0;
    }

    boolean leftToC1() {
        return hot() && level > 0 && level < C2 && c1 > interpreted;
    }

    /** An index of a bytecode from 8,000 on is in a method that is longer than that. */
    boolean tooLarge() {
        return deepest >= HUGE_BYTES;
    }

    String words(String when, String how) {
        String huge = !tooLarge()
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; it was found at its byte %,d, and HotSpot compiles no method of over %,d bytes",
                        deepest,
                        HUGE_BYTES);
        return String.format(
                Locale.ROOT, "%s had %.0f %% of the samples %s, %s%s", method, 100 * slow, when, how, huge);
    }
}
