package dev.kiln.explain.cause;

import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.run.JitState;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.JitSample;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A Churn is how many compilations left their mark. A method is compiled once for the code that it runs with first and once more
 * by C2, which replaces that. Those of code that is thrown away as fast as it is made leave nothing.
 *
 * @param perSecond compilations
 * @param compiled all of them
 * @param kept by how much the number of methods in use changed meanwhile
 * @param optimised the same of C2's
 */
record Churn(double perSecond, double compiled, double kept, double optimised) {
    /**
     * Code is thrown away as it is made if methods in use, those of C2 counted twice, change by less than this per
     * compilation. Measured over the first seconds of small targets on 17 and 25: 0.84 to 1.30, and 0.23 to 0.27 in a
     * loop of uncommon traps.
     */
    private static final double KEPT = 0.5;

    /** Returns it; empty where the compilations, or the methods in use in the second half of the window, are not known. */
    static Optional<Churn> of(WindowEvidence s) {
        List<JitSample> levels = levels(s);
        if (levels.size() < 2 || levels.getLast().timeNanos() < s.window().toNanos() - s.seconds() / 2 * 1e9) {
            return Optional.empty();
        }
        List<CompilerSample> between = s.evidence().compiler().stream()
                .filter(sample -> sample.timeNanos() >= levels.getFirst().timeNanos()
                        && sample.timeNanos() <= levels.getLast().timeNanos())
                .toList();
        return between.size() < 2
                ? Optional.empty()
                : Optional.of(new Churn(
                        WindowEvidence.compilationsPerSecond(between),
                        between.getLast().compilations() - between.getFirst().compilations(),
                        inUse(levels.getLast()) - inUse(levels.getFirst()),
                        optimised(levels.getLast()) - optimised(levels.getFirst())));
    }

    /**
     * Returns the samples around the window: methods by level are asked for seldom, and a short window may hold none.
     */
    private static List<JitSample> levels(WindowEvidence s) {
        List<JitSample> all = s.evidence().jit().stream()
                .filter(sample -> sample.levels().isPresent())
                .filter(sample -> sample.timeNanos() <= s.window().toNanos())
                .toList();
        int from = 0;
        for (int i = 0; i < all.size(); i++) {
            from = all.get(i).timeNanos() <= s.window().fromNanos() ? i : from;
        }
        return all.subList(from, all.size());
    }

    private static int inUse(JitSample sample) {
        JitState.CodeLevels levels = sample.levels().orElseThrow();
        return levels.level1() + levels.level2() + levels.level3() + levels.level4();
    }

    private static int optimised(JitSample sample) {
        return sample.levels().orElseThrow().level4();
    }

    /** Tells whether what is compiled is thrown away as fast as it is made. */
    boolean isForNothing() {
        return Math.abs(kept + optimised) <= KEPT * compiled;
    }

    String words() {
        return String.format(
                Locale.ROOT,
                "%.0f compilations a second, while methods in use changed by %.0f, those of C2 by %.0f",
                perSecond,
                kept,
                optimised);
    }
}
