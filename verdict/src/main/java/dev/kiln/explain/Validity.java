package dev.kiln.explain;

import dev.kiln.explain.window.BinPolicy;
import dev.kiln.explain.window.LoadSeries;
import dev.kiln.explain.window.ThreadTimes;
import dev.kiln.explain.window.Thresholds;
import dev.kiln.explain.window.Window;
import dev.kiln.explain.window.WindowStatistics;
import dev.kiln.explain.window.WindowStatisticsBuilder;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadBin.Errors;
import dev.kiln.model.run.Course;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Treatment.AotUse;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.series.Bins;
import dev.kiln.stats.series.SeriesAnalysis;
import dev.kiln.stats.series.TimeToPeak;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Validity decides whether a peak may be read from a run, and whether the run is worth another try. */
public final class Validity {
    /** A part is named if this many of its threads waited on average: fewer are 0 in the digit printed. */
    private static final double NOTABLE_WAIT = 0.05;

    private static final String STALLED =
            "lost over " + Thresholds.LATE_NANOS / 1_000_000 + " ms to a stall of the load generator";

    private static final String MORE_ERRORS = "had more errors than accepted";

    private static final String BACKEND = "backend";

    private static final Map<String, String> LAB =
            Map.of("load", "generator", "database", "database", BACKEND, BACKEND);

    private Validity() {}

    static List<String> reasons(
            RunEvidence evidence, List<LoadSeries> phases, WindowStatistics observed, AnalysisConfig config) {
        RunInfo info = evidence.info();
        List<String> reasons = new ArrayList<>();
        outcome(info, reasons);
        if (!info.repeatedFor().isEmpty()) {
            reasons.add(
                    "the machine disturbed this run, and Kiln repeated it: " + String.join("; ", info.repeatedFor()));
            return reasons;
        }
        // A target that was ended for its cache has said so.
        if (info.outcome() != Course.Outcome.TARGET_FAILED) {
            info.treatment()
                    .aot()
                    .flatMap(AotUse::failure)
                    .map(AotUse.UNUSED::concat)
                    .ifPresent(reasons::add);
        }
        if (info.watched()) {
            reasons.add("Kiln only watched it and sent no load, so its throughput is not known; kiln explain shows"
                    + " what held its compilers back");
            return reasons;
        }
        int bins = phases.stream().mapToInt(LoadSeries::bins).sum();
        if (bins == 0) {
            reasons.add(advised("no whole second of load was recorded", "give it a longer load"));
            return reasons;
        }
        for (LoadSeries phase : phases) {
            double requests = Arrays.stream(phase.completed()).sum();
            if (phase.bins() > 0 && requests == 0) {
                reasons.add(advised(
                        "no request succeeded in phase " + phase.phase(),
                        "check the URL, which statuses count as success, and what the target printed"));
            }
        }
        Bins.Validity validity = LoadSeries.validity(phases, config);
        if (!validity.reasons(List.of(), config).isEmpty()) {
            told(validity.erroneous(), phases, advised(MORE_ERRORS, whatTheErrorsAsk(evidence)), reasons);
            told(validity.stalled(), phases, advised(STALLED, "give the load generator more CPUs"), reasons);
        }
        if (observed.lab().full()) {
            reasons.add(advised(
                    limit(observed),
                    observed.lab().disturbed()
                            ? "end them, and run it again"
                            : "give them more CPUs (--cpus), or lower the load"));
        } else if (observed.lab().generator().saturated()) {
            reasons.add(advised(
                    "the load generator was the limit: "
                            + observed.lab().generator().words(),
                    info.loadFrom()
                            .map(from -> "give it more CPU where it ran, or lower the load")
                            .orElse("give it more CPUs (--cpus), or lower the load")));
        }
        return reasons;
    }

    /** Returns what to do about the kind of errors that most were; other programs' files have their kinds mixed. */
    private static String whatTheErrorsAsk(RunEvidence evidence) {
        Errors all = evidence.load().stream().map(LoadBin::errors).reduce(Errors.NONE, Errors::plus);
        double half = all.total() / 2.0;
        if (evidence.info().provenance().isPresent()) {
            return "lower the load, or name more statuses that count as success";
        }
        if (all.refused() + all.reset() > half) {
            return "most errors were connections refused or cut off: keep the service from starting anew, or lower the load";
        }
        if (all.timeout() > half) {
            return "most errors were timeouts: lower the load";
        }
        if (all.badBody() > half) {
            return "most errors were answers with another body: see bodyContains, or lower the load";
        }
        return all.non2xx() > half
                ? "most errors were answers with another status: name more statuses that count as success, or lower the load"
                : "lower the load, or name more statuses that count as success";
    }

    /** Returns a reason with what to do about it. */
    private static String advised(String reason, String advice) {
        return reason + " (" + advice + ")";
    }

    /**
     * Returns why a run is invalid once its times are known: one read off within reach of a bad bin is not to be
     * trusted, even if bad bins are few.
     *
     * @param known why it is invalid whatever its times are
     * @param bins of the warm-up, and which of them are bad
     */
    public static List<String> reasons(
            List<String> known, Bins.Validity bins, AnalysisConfig config, SeriesAnalysis series) {
        if (!known.isEmpty()) {
            return known;
        }
        List<Double> reported = series.time(TimeToPeak.HEADLINE)
                .map(time -> time.seconds().stream().boxed().toList())
                .orElse(List.of());
        return bins.reasons(reported, config);
    }

    /** Returns what of the machine, and not of the target, made a run invalid: it is worth another try. */
    public static List<String> spoiled(RunEvidence evidence, AnalysisConfig general) {
        RunInfo info = evidence.info();
        List<String> reasons = new ArrayList<>();
        if (info.outcome() == Course.Outcome.LAB_FAILED) {
            outcome(info, reasons);
        }
        AnalysisConfig config = BinPolicy.config(evidence, general);
        List<LoadSeries> phases = info.phases().stream()
                .filter(Course.PhaseTime::load)
                .map(phase -> BinPolicy.series(phase.name(), evidence, config))
                .filter(phase -> phase.bins() > 0)
                .toList();
        if (phases.isEmpty()) {
            return reasons;
        }
        Bins.Validity bins = LoadSeries.validity(phases, config);
        if (bins.stalled().size() > config.validity().maxInvalidShare() * bins.bins()) {
            told(bins.stalled(), phases, STALLED, reasons);
        }
        Window loaded =
                new Window(phases.getFirst().startNanos(), phases.getLast().endNanos());
        reasons.addAll(disturbed(evidence, ThreadTimes.of(evidence), loaded));
        return reasons;
    }

    /**
     * Returns in words what other programs and the hypervisor took from target and load in a window; none where that is little.
     * Of several processes, each is asked by its own clock: what disturbs one disturbs the service.
     */
    static List<String> disturbed(RunEvidence run, ThreadTimes threads, Window window) {
        List<String> reasons = new ArrayList<>(disturbedAlone(run, threads, window));
        for (RunEvidence replica : run.replicas()) {
            disturbedAlone(replica, ThreadTimes.of(replica), window.later(run.ahead(replica))).stream()
                    .map(reason -> replica.place() + ": " + reason)
                    .forEach(reasons::add);
        }
        return reasons;
    }

    private static List<String> disturbedAlone(RunEvidence evidence, ThreadTimes threads, Window window) {
        WindowStatistics observed = new WindowStatisticsBuilder(evidence, threads, window).build();
        List<String> reasons = new ArrayList<>();
        if (observed.lab().full() && observed.lab().disturbed()) {
            reasons.add(limit(observed));
        }
        if (observed.lab().targetDisturbed()) {
            reasons.add(String.format(
                    Locale.ROOT,
                    "other programs used %.0f %% of a CPU on the target's CPUs",
                    100 * observed.lab().targetForeign().orElseThrow()));
        }
        double stolen = observed.stealShare().orElse(0);
        if (stolen > Thresholds.STEAL) {
            reasons.add(
                    String.format(Locale.ROOT, "the hypervisor took %.0f %% of the target's CPUs away", 100 * stolen));
        }
        return reasons;
    }

    private static String limit(WindowStatistics observed) {
        boolean backend = observed.parts().stream().anyMatch(part -> part.part().equals(BACKEND));
        String lab = "load generator and " + (backend ? BACKEND : "database");
        return observed.lab().disturbed()
                ? String.format(
                        Locale.ROOT,
                        "other programs took %.0f %% of a CPU from %s, which needed all of it",
                        100 * observed.lab().foreign().orElse(0),
                        lab)
                : String.format(
                        Locale.ROOT,
                        "%s were the limit: their CPU was %.0f %% busy at the end of the warm-up%s",
                        lab,
                        100 * observed.labBusy().orElse(0),
                        waits(observed));
    }

    /** Returns which parts of the lab were short of CPU, by threads that waited; blank where none was. */
    private static String waits(WindowStatistics observed) {
        String text = observed.parts().stream()
                .filter(part -> LAB.containsKey(part.part()) && part.waitShare() >= NOTABLE_WAIT)
                .map(part ->
                        String.format(Locale.ROOT, "%.1f threads of the %s", part.waitShare(), LAB.get(part.part())))
                .collect(Collectors.joining(" and "));
        return text.isEmpty() ? "" : ", and " + text + " waited for it";
    }

    /** Adds how many seconds of load are bad, by the length of the bins, which may be over a second. */
    private static void told(List<Integer> bad, List<LoadSeries> phases, String what, List<String> reasons) {
        double of = 0;
        double all = 0;
        int first = 0;
        for (LoadSeries phase : phases) {
            int next = first + phase.bins();
            int from = first;
            of += phase.binSeconds()
                    * bad.stream().filter(bin -> bin >= from && bin < next).count();
            all += phase.binSeconds() * phase.bins();
            first = next;
        }
        if (!bad.isEmpty()) {
            reasons.add(seconds(of) + " of " + seconds(all) + " seconds of load " + what);
        }
    }

    private static String seconds(double seconds) {
        return BigDecimal.valueOf(Math.round(seconds * 1e3), 3)
                .stripTrailingZeros()
                .toPlainString();
    }

    private static void outcome(RunInfo info, List<String> reasons) {
        String detail = info.course().outcomeDetail().map(text -> ": " + text).orElse("");
        switch (info.outcome()) {
            case COMPLETED -> {}
            case RUNNING ->
                reasons.add(advised(
                        "the end of the run was not recorded: Kiln was killed, or could not write any more, or the run still goes on",
                        "if it does not, run it again"));
            case INTERRUPTED -> reasons.add(advised("interrupted" + detail, "run it again"));
            case TARGET_FAILED ->
                reasons.add(
                        info.attached().isPresent()
                                ? "the target failed" + detail
                                : advised("the target failed" + detail, "target.log has what it printed"));
            case LAB_FAILED -> reasons.add("the lab failed" + detail);
        }
    }
}
