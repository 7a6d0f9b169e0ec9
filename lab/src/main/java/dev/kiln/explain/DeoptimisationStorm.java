package dev.kiln.explain;

import static dev.kiln.explain.Named.DEOPTIMISATION_STORM;
import static dev.kiln.explain.Named.proof;

import dev.kiln.model.CompilerSample;
import dev.kiln.model.Finding;
import dev.kiln.model.FlightDigest;
import dev.kiln.model.JitSample;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Code thrown away as fast as it is compiled. */
final class DeoptimisationStorm implements Cause {
    private static final String MISSING =
            "deoptimisations were not recorded: they take a flight recording, or compilations (hsperfdata) together with"
                    + " methods by level (the attach socket)";

    @Override
    public Finding judge(Situation s, Judged earlier) {
        if (s.evidence().flight().isPresent() && !s.tooShort()) {
            return byEvents(s, s.evidence().flight().orElseThrow());
        }
        List<CompilerSample> compiler = s.within(s.evidence().compiler(), CompilerSample::timeNanos);
        if (compiler.size() < 3 || s.tooShort()) {
            return DEOPTIMISATION_STORM.notObservable(MISSING);
        }
        List<JitSample> levels = levels(s);
        return levels.size() < 2 ? byRate(s, compiler) : byChurn(s, levels);
    }

    /** Those around the window: methods by level are asked for seldom, and a short window may hold none. */
    private static List<JitSample> levels(Situation s) {
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

    private static Finding byEvents(Situation s, FlightDigest flight) {
        Map<String, Integer> byReason =
                s.within(flight.deoptimizations(), FlightDigest.Deoptimizations::timeNanos).stream()
                        .collect(Collectors.groupingBy(
                                FlightDigest.Deoptimizations::reason,
                                Collectors.summingInt(FlightDigest.Deoptimizations::count)));
        double perSecond =
                byReason.values().stream().mapToInt(Integer::intValue).sum() / s.seconds();
        String most = byReason.entrySet().stream()
                .max(Comparator.comparingInt((Map.Entry<String, Integer> e) -> e.getValue())
                        .thenComparing(Map.Entry::getKey))
                .map(e -> ", most of them " + e.getKey())
                .orElse("");
        var proof = proof(String.format(Locale.ROOT, "%.1f deoptimisations a second%s", perSecond, most), s.moment());
        return perSecond >= Thresholds.DEOPTIMISATIONS_PER_SECOND ? held(proof) : DEOPTIMISATION_STORM.ruledOut(proof);
    }

    /**
     * A method is compiled once for the code that it runs with first and once more by C2, which replaces that: so many
     * compilations leave their mark. Those of a storm leave none.
     */
    private static Finding byChurn(Situation s, List<JitSample> levels) {
        List<CompilerSample> between = s.evidence().compiler().stream()
                .filter(sample -> sample.timeNanos() >= levels.getFirst().timeNanos()
                        && sample.timeNanos() <= levels.getLast().timeNanos())
                .toList();
        if (between.size() < 2) {
            return DEOPTIMISATION_STORM.notObservable(MISSING);
        }
        double perSecond = perSecond(between);
        double compiled = between.getLast().compilations() - between.getFirst().compilations();
        double kept = inUse(levels.getLast()) - inUse(levels.getFirst());
        double optimised = optimised(levels.getLast()) - optimised(levels.getFirst());
        var proof = proof(
                String.format(
                        Locale.ROOT,
                        "%.0f compilations a second, while methods in use changed by %.0f, those of C2 by %.0f",
                        perSecond,
                        kept,
                        optimised),
                s.moment());
        boolean storm = perSecond >= Thresholds.CHURN_PER_SECOND
                && Math.abs(kept + optimised) <= Thresholds.CHURN_KEPT * compiled
                && !starved(s);
        return storm ? held(proof) : DEOPTIMISATION_STORM.ruledOut(proof);
    }

    private static Finding byRate(Situation s, List<CompilerSample> compiler) {
        int middle = compiler.size() / 2;
        double earlier = perSecond(compiler.subList(0, middle + 1));
        double later = perSecond(compiler.subList(middle, compiler.size()));
        String text = String.format(
                Locale.ROOT, "%.0f compilations a second, then %.0f, without falling off", earlier, later);
        boolean storm = Math.min(earlier, later) >= Thresholds.CHURN_ALONE_PER_SECOND
                && later >= Thresholds.CHURN_LASTS * earlier
                && !starved(s);
        return storm ? held(proof(text, s.moment())) : DEOPTIMISATION_STORM.notObservable(MISSING);
    }

    private static double perSecond(List<CompilerSample> samples) {
        CompilerSample a = samples.getFirst();
        CompilerSample b = samples.getLast();
        return (b.compilations() - a.compilations()) / ((b.timeNanos() - a.timeNanos()) / 1e9);
    }

    private static boolean starved(Situation s) {
        return s.c2().stream().anyMatch(Situation.Use::starved);
    }

    private static int inUse(JitSample sample) {
        JitSample.Levels levels = sample.levels().orElseThrow();
        return levels.level1() + levels.level2() + levels.level3() + levels.level4();
    }

    private static int optimised(JitSample sample) {
        return sample.levels().orElseThrow().level4();
    }

    private static Finding held(Finding.Proof proof) {
        return DEOPTIMISATION_STORM.held(0.8, List.of(proof), Remedies.DEOPTIMISATION);
    }
}
