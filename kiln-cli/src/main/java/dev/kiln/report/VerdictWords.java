package dev.kiln.report;

import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.cause.Causes;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Verdict;
import dev.kiln.stats.series.Disturbance;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** VerdictWords puts verdicts into words. */
public final class VerdictWords {
    private static final double LEAST_LEVEL = 10;
    private static final int DISTURBANCES_SHOWN = 5;

    private VerdictWords() {}

    /** Returns what the verdict means, and the reasons for it, as a sentence. */
    public static String sentence(Verdict verdict) {
        return Show.sentence(verdict.text()) + ": " + String.join("; ", reasons(verdict)) + ".";
    }

    /** Returns the meaning of the verdict in half a sentence. */
    private static String meaning(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Peaked peaked ->
                "at the end it served at least " + Show.trimmed(100 * peaked.atLeast(), 1) + " % of its peak"
                        + code(peaked.code(), ", as ")
                        + (peaked.byThroughputAlone() ? ", by throughput alone: the compilers were not watched" : "");
            case Verdict.AtPeak at ->
                "it had run for " + at.ran()
                        + " when Kiln attached to it, so how long it took to its peak is not known; " + at.way()
                        + ", and " + meaning(at.peaked());
            case Verdict.FalsePlateau plateau -> "level, but below its peak";
            case Verdict.StillClimbing climbing -> climbing.ended() + ", and was rising";
            case Verdict.BelowPeak below -> below.ended() + "; Kiln cannot tell whether it was level or rising";
            case Verdict.Slowing slowing -> slowing.seen();
            case Verdict.Cycling cycling ->
                "it changes between " + Show.whole(cycling.high()) + " and " + Show.whole(cycling.low())
                        + " req/s about every " + Show.seconds(cycling.periodSeconds()) + " s";
            case Verdict.StoppedServing stopped ->
                "next to nothing was served from second " + Show.seconds(stopped.atSeconds())
                        + " to the end of the load";
            case Verdict.Served served ->
                served.offered() + " were served, so its peak is higher and was not seen; " + served.decide()
                        + " would show it";
            case Verdict.Invalid invalid -> String.join("; ", invalid.reasons());
            case Verdict.CannotTell cannot -> cannot.known() + "; " + cannot.decide() + " would decide";
        };
    }

    /** Returns what code the JVM's flags left to the peak; it is blank where they left all of it. */
    private static String code(Verdict.PeakCode code, String before) {
        return code == Verdict.PeakCode.ANY ? "" : before + code.text();
    }

    /** Returns the reasons for the verdict; its meaning if it has none. */
    public static List<String> reasons(Verdict verdict) {
        return switch (verdict) {
            case Verdict.FalsePlateau plateau -> plateau.reasons();
            case Verdict.Invalid invalid -> invalid.reasons();
            case Verdict.Peaked peaked -> List.of(meaning(verdict));
            case Verdict.AtPeak at -> List.of(meaning(verdict));
            case Verdict.StillClimbing climbing -> List.of(meaning(verdict));
            case Verdict.BelowPeak below -> List.of(meaning(verdict));
            case Verdict.Slowing slowing -> List.of(meaning(verdict));
            case Verdict.Cycling cycling -> List.of(meaning(verdict));
            case Verdict.StoppedServing stopped -> List.of(meaning(verdict));
            case Verdict.Served served -> List.of(meaning(verdict));
            case Verdict.CannotTell cannot -> List.of(meaning(verdict));
        };
    }

    private static String level(double seconds, String within) {
        String time = Show.plain(seconds) + " s";
        return seconds < LEAST_LEVEL
                ? "only the last " + time + " were within " + within
                        + " %, too short a time to tell whether its end was level"
                : "it was level within " + within + " % for the last " + time;
    }

    /**
     * Returns what is added to the verdict: how long the end was level, until when C2 starved, and drops.
     *
     * @param delta by how much a level may differ
     */
    public static List<String> beside(RunResult run, double delta) {
        List<String> words = new ArrayList<>();
        if (run.explanation().verdict().end().isPresent()) {
            run.series()
                    .ending()
                    .map(end -> level(end.levelSeconds(), Show.trimmed(100 * delta, 1)))
                    .ifPresent(words::add);
        }
        Causes.starvedEarlier(run.explanation().findings())
                .map(moment -> "C2 was starved of CPU earlier: from second " + Show.fixed(moment.fromSecond(), 0)
                        + " on, the last time until second " + Show.fixed(moment.toSecond(), 0))
                .ifPresent(words::add);
        List<Disturbance> all = run.series().shape().disturbances();
        if (!all.isEmpty()) {
            // A last round that fell did not come back.
            words.add("throughput dropped" + (run.series().fell() ? "" : " for a while") + ": "
                    + all.stream()
                            .limit(DISTURBANCES_SHOWN)
                            .map(one -> one.kind().words() + " of " + Show.plain(one.lasted()) + " s at second "
                                    + Show.plain(one.seconds())
                                    + in(run, one))
                            .collect(Collectors.joining(", "))
                    + (all.size() > DISTURBANCES_SHOWN ? " and " + (all.size() - DISTURBANCES_SHOWN) + " more" : ""));
        }
        return words;
    }

    /** Returns in which load of the run it was, to follow its second; blank where it was amid the first. */
    private static String in(RunResult run, Disturbance one) {
        if (one.afterPause()) {
            return run.served().searchRounds() > 0 ? " of round " + one.round() : " after the pause";
        }
        return one.seconds() + one.lasted() >= run.series().seconds() ? ", at the end of the load" : "";
    }

    /** Returns one verdict, or how many runs have which; a dash where no run was recorded. */
    public static String of(VariantResult variant) {
        boolean alone = !variant.valid().isEmpty()
                && variant.valid().stream()
                        .allMatch(run -> run.explanation()
                                .verdict()
                                .end()
                                .filter(Verdict.Peaked::byThroughputAlone)
                                .isPresent());
        Set<Verdict.PeakCode> codes = variant.valid().stream()
                .map(run -> run.explanation()
                        .verdict()
                        .end()
                        .map(Verdict.Peaked::code)
                        .orElse(Verdict.PeakCode.ANY))
                .collect(Collectors.toSet());
        return variant.runs().isEmpty()
                ? Show.ABSENT
                : variant.verdict()
                        + (codes.size() == 1 ? code(codes.iterator().next(), " as ") : "")
                        + (alone ? " by throughput alone" : "");
    }

    /** Returns the titles of causes in at least half of the valid runs, the weightiest first. */
    public static List<String> causes(VariantResult variant, int atMost) {
        List<RunResult> runs = variant.valid();
        Map<String, Long> counts = runs.stream()
                .flatMap(run -> run.explanation().causes().stream())
                .collect(Collectors.groupingBy(Finding::title, LinkedHashMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .filter(e -> 2 * e.getValue() >= runs.size())
                .map(Map.Entry::getKey)
                .limit(atMost)
                .toList();
    }
}
