package dev.kiln.stats;

import java.util.Optional;

/**
 * Throughput after the pause against that before it. What grows while no request is served was not held back by the load.
 *
 * @param before mean of the last warm-up bins, requests per second
 * @param after mean of the first measuring bins but the very first, which is the connections' restart
 * @param ratio after / before
 */
public record CooldownJump(double before, double after, Estimate ratio) {
    /** Empty if a phase is too short, or nothing was served before the pause. */
    static Optional<CooldownJump> of(double[] warmup, double[] measure, Noise noise, AnalysisConfig config) {
        int span = config.bins(config.jump().jumpBins(), 3);
        int skip = config.jump().jumpSkipBins();
        if (warmup.length < span || measure.length < skip + span) {
            return Optional.empty();
        }
        double before = Series.mean(warmup, warmup.length - span, warmup.length);
        double after = Series.mean(measure, skip, skip + span);
        double reach = noise.reach(config.end().endZ()) * Math.sqrt(2) * noise.ofMean(span);
        return before == 0
                ? Optional.empty()
                : Optional.of(new CooldownJump(before, after, Estimate.ofRelative(after / before, reach)));
    }
}
