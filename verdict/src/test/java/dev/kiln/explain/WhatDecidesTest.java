package dev.kiln.explain;

import static dev.kiln.explain.HandMade.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.run.Verdict;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Estimate;
import dev.kiln.stats.series.Ending;
import dev.kiln.stats.series.Noise;
import dev.kiln.stats.series.SeriesAnalyser;
import dev.kiln.stats.series.SeriesAnalysis;
import dev.kiln.stats.series.SeriesAnalysis.MeasuredLoad;
import dev.kiln.stats.series.SeriesAnalysis.ServedRates;
import dev.kiln.stats.series.SeriesAnalysis.Shape;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What Kiln says would decide, where an interval does not. */
class WhatDecidesTest {
    private static final AnalysisConfig CONFIG = AnalysisConfig.defaults();

    /** On a machine whose speed drifted a longer load was to decide, of which the end has no more seconds. */
    @Test
    void whatDecidesFollowsFromWhatWidenedTheInterval() {
        Estimate end = new Estimate(0.97, 0.905, 1.04);
        assertThat(decide(end, new Noise(0.1, 0.6, 0.2, 60, 15), 30, true))
                .as("seconds drift")
                .isEqualTo("more runs, or a quieter machine");
        assertThat(decide(end, new Noise(0.1, 0.05, 0.105, 60, 55), 30, true)).isEqualTo("a longer load");
        assertThat(decide(new Estimate(0.97, 0.95, 0.99), new Noise(0.02, 0.6, 0.04, 60, 15), 30, true))
                .as("what goes down does so by more than they drift")
                .isEqualTo("a longer load");
        Estimate open = new Estimate(0.93, 0.88, 0.983);
        assertThat(decide(open, new Noise(0.05, 0.05, 0.0525, 60, 55), 10, false))
                .as("ten seconds of an end that may have thirty")
                .isEqualTo("a longer load");
        assertThat(decide(open, new Noise(0.05, 0.05, 0.0525, 60, 55), 30, false))
                .matches("about \\d+ runs");
        assertThat(decide(open, new Noise(0.05, 0.8, 0.15, 60, 7), 10, false)).matches("about \\d+ runs");
    }

    /** Returns what is to decide of an end of so many seconds, that stands at a share of the peak; goesDown is whether it may decline. */
    private static String decide(Estimate share, Noise noise, int seconds, boolean goesDown) {
        SeriesAnalysis flat = SeriesAnalyser.analyse(
                seconds(60, 1000), new MeasuredLoad(seconds(30, 1000), List.of()), Optional.empty(), CONFIG);
        ServedRates served = flat.served();
        Ending ending = flat.ending().orElseThrow();
        Shape shape = flat.shape();
        SeriesAnalysis series = new SeriesAnalysis(
                new ServedRates(
                        served.bins(), served.even(), served.binSeconds(), served.few(), served.requests(), noise),
                flat.reference(),
                flat.way(),
                Optional.of(new Ending(
                        ending.fromSeconds(),
                        seconds,
                        ending.level(),
                        ending.error(),
                        ending.growth(),
                        ending.levelSeconds())),
                Optional.of(share),
                new Shape(
                        shape.stoppedSeconds(),
                        shape.cycle(),
                        shape.held(),
                        shape.slowing(),
                        goesDown,
                        shape.afterPause(),
                        shape.disturbances()),
                flat.jump());
        return ((Verdict.CannotTell) Verdicts.of(List.of(), series, CONFIG)).decide();
    }
}
