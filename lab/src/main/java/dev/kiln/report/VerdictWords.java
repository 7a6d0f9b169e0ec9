package dev.kiln.report;

import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.model.Finding;
import dev.kiln.model.Verdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Verdicts in words. */
final class VerdictWords {
    private VerdictWords() {}

    /** What it means, and by what it is known. */
    static String sentence(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Peaked peaked ->
                peaked.byThroughputAlone()
                        ? "Peaked by throughput alone: it was steady, but nothing tells what the JIT compilers did, and"
                                + " a plateau that they hold down looks the same."
                        : "Peaked: throughput was steady, not below the reference, and the compilers were quiet.";
            case Verdict.FalsePlateau plateau ->
                "False plateau: throughput was steady, but held down: " + joined(plateau.reasons()) + ".";
            case Verdict.StillClimbing climbing -> "Still climbing: throughput was rising when the load ended.";
            case Verdict.Unstable unstable -> "Unstable: throughput never settled on one level.";
            case Verdict.Slowing slowing -> "Slowing: throughput was higher before than at the end of the load.";
            case Verdict.Invalid invalid -> "Invalid: " + joined(invalid.reasons()) + ".";
            case Verdict.NotEnoughData few -> "Not enough data: it takes " + few.missing() + ".";
        };
    }

    static List<String> reasons(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Peaked peaked ->
                peaked.byThroughputAlone() ? List.of("by throughput alone: no evidence of the compilers") : List.of();
            case Verdict.FalsePlateau plateau -> plateau.reasons();
            case Verdict.Invalid invalid -> invalid.reasons();
            case Verdict.NotEnoughData few -> List.of("it takes " + few.missing());
            case Verdict.StillClimbing climbing -> List.of();
            case Verdict.Unstable unstable -> List.of();
            case Verdict.Slowing slowing -> List.of();
        };
    }

    /** One verdict, or how many runs have which; a dash where no run was recorded. */
    static String of(VariantResult variant) {
        Map<String, Long> counts = variant.runs().stream()
                .collect(Collectors.groupingBy(
                        run -> words(run.explanation().verdict()), LinkedHashMap::new, Collectors.counting()));
        return switch (counts.size()) {
            case 0 -> Text.ABSENT;
            case 1 -> counts.keySet().iterator().next();
            default ->
                counts.entrySet().stream()
                        .map(e -> e.getValue() + " " + e.getKey())
                        .collect(Collectors.joining(", "));
        };
    }

    private static String words(Verdict verdict) {
        boolean alone = verdict instanceof Verdict.Peaked peaked && peaked.byThroughputAlone();
        return verdict.text() + (alone ? " by throughput alone" : "");
    }

    /** Titles of what held in at least half of the valid runs, and can have caused something there, weightiest first. */
    static List<String> held(VariantResult variant, int atMost) {
        List<RunResult> runs = Reading.readableRuns(variant);
        Map<String, Long> counts = runs.stream()
                .flatMap(run -> run.explanation().findings().stream())
                .filter(finding -> !finding.explains().isEmpty())
                .collect(Collectors.groupingBy(Finding::title, LinkedHashMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .filter(e -> 2 * e.getValue() >= runs.size())
                .map(Map.Entry::getKey)
                .limit(atMost)
                .toList();
    }

    private static String joined(List<String> reasons) {
        return String.join("; ", reasons);
    }
}
