package dev.kiln.stats;

import java.util.List;
import java.util.OptionalDouble;

/** Times and deficit against one peak; without a peak, times are censored and the deficit is empty. */
record AgainstPeak(
        List<TimeToPeak> times,
        OptionalDouble deficitRequests,
        OptionalDouble deficitSeconds,
        OptionalDouble efficiency) {
    static AgainstPeak of(double[] bins, OptionalDouble peak, double tailCv, AnalysisConfig config) {
        if (peak.isEmpty()) {
            List<TimeToPeak> none =
                    SeriesAnalyzer.PERCENTAGES.stream().map(TimeToPeak::none).toList();
            return new AgainstPeak(none, OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty());
        }
        double w = config.binSeconds();
        double[] smoothed = Series.centredMedian(bins, config.smoothingBins());
        List<TimeToPeak> times = SeriesAnalyzer.PERCENTAGES.stream()
                .map(p -> TimeToPeak.ofSmoothed(smoothed, w, peak.getAsDouble(), p, tailCv, config))
                .toList();
        Deficit deficit = Deficit.of(bins, w, peak.getAsDouble());
        return new AgainstPeak(
                times,
                OptionalDouble.of(deficit.deficitRequests()),
                OptionalDouble.of(deficit.deficitSeconds()),
                OptionalDouble.of(deficit.efficiency()));
    }
}
