package dev.kiln.explain;

import dev.kiln.model.PhaseSeries;
import dev.kiln.stats.Analysed;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Bins;
import dev.kiln.stats.CooldownJump;
import dev.kiln.stats.Deficit;
import dev.kiln.stats.NotEnoughData;
import dev.kiln.stats.ReferencePeak;
import dev.kiln.stats.SeriesAnalysis;
import dev.kiln.stats.SeriesAnalyzer;
import dev.kiln.stats.TimeToPeak;
import dev.kiln.stats.Warning;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** From the series of each phase to what they say together. */
public final class SeriesAssessment {
    private final AnalysisConfig config;
    private final List<String> notes;

    private SeriesAssessment(AnalysisConfig config, List<String> notes) {
        this.config = config;
        this.notes = new ArrayList<>(notes);
    }

    /**
     * Phases in order.
     *
     * @param notes what is already known of the series
     */
    public static SeriesResult of(List<PhaseSeries> phases, List<String> notes, AnalysisConfig config) {
        return new SeriesAssessment(config, notes).assess(phases);
    }

    /** Whether a phase is the load from the first request on: {@code warmup}, {@code warm-up}. */
    static boolean isWarmup(String phase) {
        return phase.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "").equals("warmup");
    }

    private SeriesResult assess(List<PhaseSeries> series) {
        List<SeriesResult.Phase> phases = new ArrayList<>();
        for (PhaseSeries one : series) {
            boolean measuring = phases.stream().anyMatch(earlier -> isWarmup(earlier.name()));
            phases.add(phase(one, measuring));
        }
        for (int i = 0; i + 1 < phases.size(); i++) {
            if (isWarmup(phases.get(i).name())) {
                SeriesResult.Phase warmup = phases.get(i);
                SeriesResult.Phase measure = phases.get(i + 1);
                Optional<SeriesResult.AgainstReference> against = against(warmup, measure);
                return new SeriesResult(
                        judged(phases, series, against),
                        against,
                        CooldownJump.of(warmup.bins(), measure.bins(), config),
                        notes,
                        config);
            }
        }
        return new SeriesResult(
                judged(phases, series, Optional.empty()), Optional.empty(), Optional.empty(), notes, config);
    }

    /** Times against the reference are reported times too: what failed beside them counts. */
    private List<SeriesResult.Phase> judged(
            List<SeriesResult.Phase> phases,
            List<PhaseSeries> series,
            Optional<SeriesResult.AgainstReference> against) {
        List<SeriesResult.Phase> out = new ArrayList<>();
        for (int i = 0; i < phases.size(); i++) {
            SeriesResult.Phase phase = phases.get(i);
            List<TimeToPeak> times =
                    new ArrayList<>(phase.analysis() instanceof Analysed a ? a.timeToPeak() : List.of());
            against.filter(a -> a.phase().equals(phase.name())).ifPresent(a -> times.addAll(a.times()));
            out.add(new SeriesResult.Phase(
                    phase.name(), phase.bins(), phase.analysis(), errors(series.get(i), phase.bins(), times)));
        }
        return out;
    }

    private Optional<SeriesResult.Errors> errors(PhaseSeries series, double[] bins, List<TimeToPeak> times) {
        Optional<SeriesResult.Errors> errors = series.errors()
                .map(failed ->
                        SeriesErrors.of(bins, Bins.rates(failed, series.rowSeconds(), per(series)), times, config));
        errors.ifPresent(found -> notes.addAll(SeriesErrors.notes(series.phase(), bins, found, config)));
        return errors;
    }

    private int per(PhaseSeries series) {
        return (int) Math.round(config.binSeconds() / series.rowSeconds());
    }

    private SeriesResult.Phase phase(PhaseSeries series, boolean measuring) {
        double[] bins = Bins.rates(series.counts(), series.rowSeconds(), per(series));
        SeriesAnalysis analysis =
                measuring ? SeriesAnalyzer.measuring(bins, config) : SeriesAnalyzer.warmup(bins, config);
        note(series.phase(), analysis);
        return new SeriesResult.Phase(series.phase(), bins, analysis, Optional.empty());
    }

    private Optional<SeriesResult.AgainstReference> against(SeriesResult.Phase warmup, SeriesResult.Phase measure) {
        if (Arrays.stream(measure.bins()).sum() == 0 || warmup.bins().length == 0) {
            notes.add("phase " + measure.name() + " served nothing, so it gives no reference peak");
            return Optional.empty();
        }
        ReferencePeak peak = ReferencePeak.of(List.of(measure.bins()), config);
        SeriesAnalysis analysis = SeriesAnalyzer.againstReference(warmup.bins(), peak.value(), config);
        double noise = cv(analysis).or(() -> cv(measure.analysis())).orElse(0.0);
        List<TimeToPeak> times = SeriesAnalyzer.PERCENTAGES.stream()
                .map(percent -> TimeToPeak.of(warmup.bins(), config.binSeconds(), peak.value(), percent, noise, config))
                .toList();
        if (analysis instanceof Analysed a) {
            a.warnings().stream()
                    .filter(warning -> warning.code() == Warning.Code.PLATEAU_BELOW_REFERENCE)
                    .forEach(warning -> notes.add(warmup.name() + ": " + warning.text()));
        }
        if (peak.lowerBound()) {
            notes.add("the reference peak is a lower bound, printed with \u2265: phase " + measure.name()
                    + " is not steady itself");
        }
        Deficit deficit = Deficit.of(warmup.bins(), config.binSeconds(), peak.value());
        return Optional.of(
                new SeriesResult.AgainstReference(warmup.name(), measure.name(), peak, analysis, times, deficit));
    }

    private static Optional<Double> cv(SeriesAnalysis analysis) {
        return analysis instanceof Analysed a ? Optional.of(a.tailCv()) : Optional.empty();
    }

    private void note(String where, SeriesAnalysis analysis) {
        switch (analysis) {
            case NotEnoughData missing -> notes.add(where + ": not enough data: " + missing.why());
            case Analysed a -> a.warnings().forEach(warning -> notes.add(where + ": " + warning.text()));
        }
    }
}
