package dev.kiln.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Whether cooldown jumps over several runs are evidence of compilers starved before the pause.
 *
 * @param ratio geometric mean of the runs' jumps
 * @param lo lower end of the two-sided t interval on logarithms; empty with one run
 * @param tailsLevel every warm-up's tail was level
 * @param exceedsSlope every jump exceeds what its warm-up's slope explains
 * @param evidence lo is above the threshold and both others hold
 */
public record JumpEvidence(
        int runs,
        double ratio,
        OptionalDouble lo,
        boolean tailsLevel,
        boolean exceedsSlope,
        boolean evidence,
        List<Warning> warnings) {
    public JumpEvidence {
        warnings = List.copyOf(warnings);
    }

    /** Of at least one run. */
    public static JumpEvidence of(List<CooldownJump> jumps, AnalysisConfig config) {
        double[] logs = jumps.stream().mapToDouble(j -> Math.log(j.ratio())).toArray();
        Checks.atLeast("runs", logs.length, 1);
        OptionalDouble lo = lowerBound(logs, config.confidence());
        boolean level = jumps.stream().allMatch(j -> j.tail() == Trend.LEVEL);
        boolean exceeds = jumps.stream().allMatch(CooldownJump::exceedsSlope);
        boolean evidence = level && exceeds && lo.isPresent() && lo.getAsDouble() > config.jumpThreshold();
        List<Warning> warnings = new ArrayList<>();
        if (lo.isEmpty()) {
            warnings.add(new Warning(Warning.Code.TOO_FEW_RUNS, "one run has no lower bound between runs: add a run"));
        }
        return new JumpEvidence(logs.length, Math.exp(Descriptive.mean(logs)), lo, level, exceeds, evidence, warnings);
    }

    /** Lower end of the geometric mean's interval between runs; empty below two runs, and where a jump was to nothing. */
    static OptionalDouble lowerBound(double[] logs, double confidence) {
        for (double v : logs) {
            if (!Double.isFinite(v)) {
                return OptionalDouble.empty();
            }
        }
        return logs.length < 2
                ? OptionalDouble.empty()
                : OptionalDouble.of(Math.exp(Student.oneSample(logs).lo(confidence)));
    }
}
