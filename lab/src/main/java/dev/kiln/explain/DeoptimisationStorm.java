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
    @Override
    public Finding judge(Situation s, Judged earlier) {
        if (s.evidence().flight().isPresent() && !s.tooShort()) {
            return byEvents(s, s.evidence().flight().orElseThrow());
        }
        List<CompilerSample> compiler = s.within(s.evidence().compiler(), CompilerSample::timeNanos);
        List<JitSample> levels = s.within(s.evidence().jit(), JitSample::timeNanos).stream()
                .filter(sample -> sample.levels().isPresent())
                .toList();
        if (compiler.size() < 2 || levels.size() < 2 || s.tooShort()) {
            return DEOPTIMISATION_STORM.notObservable(
                    "deoptimisations were not recorded: they take a flight recording, or compilations (hsperfdata) together with"
                            + " methods by level (the attach socket)");
        }
        return byChurn(s, compiler, levels);
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

    private static Finding byChurn(Situation s, List<CompilerSample> compiler, List<JitSample> levels) {
        CompilerSample a = compiler.getFirst();
        CompilerSample b = compiler.getLast();
        double compiled = b.compilations() - a.compilations();
        double perSecond = compiled / ((b.timeNanos() - a.timeNanos()) / 1e9);
        double kept = inUse(levels.getLast()) - inUse(levels.getFirst());
        boolean starved = s.c2().stream().anyMatch(Situation.Use::starved);
        var proof = proof(
                String.format(
                        Locale.ROOT,
                        "%.0f compilations a second, while methods in use changed by %.0f",
                        perSecond,
                        kept),
                s.moment());
        boolean storm = perSecond >= Thresholds.CHURN_PER_SECOND
                && Math.abs(kept) <= Thresholds.CHURN_KEPT * compiled
                && !starved;
        return storm ? held(proof) : DEOPTIMISATION_STORM.ruledOut(proof);
    }

    private static int inUse(JitSample sample) {
        JitSample.Levels levels = sample.levels().orElseThrow();
        return levels.level1() + levels.level2() + levels.level3() + levels.level4();
    }

    private static Finding held(Finding.Proof proof) {
        return DEOPTIMISATION_STORM.held(0.8, List.of(proof), Remedies.DEOPTIMISATION);
    }
}
