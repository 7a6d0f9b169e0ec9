package dev.kiln.explain;

import dev.kiln.explain.cause.CompilationLimited;
import dev.kiln.explain.window.BinPolicy;
import dev.kiln.model.run.Verdict;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Estimate;
import dev.kiln.stats.series.Cycle;
import dev.kiln.stats.series.Ending;
import dev.kiln.stats.series.HeldLevel;
import dev.kiln.stats.series.Noise;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.SeriesAnalysis;
import dev.kiln.stats.series.TimeToPeak;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Verdicts are the ladder that leads to a verdict: the curve joined with the compilers' evidence, and of all words the
 * first that the evidence carries. Nothing else decides on a verdict.
 *
 * @param invalid why no peak may be read
 * @param seen what was offered and kept, which may be all that can be said
 * @param watched whether anything recorded what C2 did
 * @param starved how C2 was starved at the end; empty where it was not, or where nobody watched
 */
public record Verdicts(
        List<String> invalid,
        Seen seen,
        SeriesAnalysis series,
        boolean watched,
        Optional<String> starved,
        AnalysisConfig config) {

    private static final String LONGER_LOAD = "a longer load";

    /** Seconds that have more in common than not: the error of their mean is more than this multiple of that of independent ones. */
    private static final double DRIFT = Math.sqrt(2);

    /** A Seen hides a peak: only sums of whole tests are known, or all that was offered was served. */
    public record Seen(boolean totalsOnly, Optional<Verdict.Served> served) {
        static final Seen ALL = new Seen(false, Optional.empty());
    }

    /** Judges a series that comes with nothing else. */
    public static Verdict of(List<String> invalid, SeriesAnalysis series, AnalysisConfig config) {
        return new Verdicts(invalid, Seen.ALL, series, false, Optional.empty(), config).verdict();
    }

    /** Judges a run, whose series is read against a peak that other runs may have found. */
    public static Verdict of(RunDigest digest, List<String> invalid, SeriesAnalysis series) {
        Verdict verdict = new Verdicts(
                        invalid,
                        new Seen(BinPolicy.totals(digest.info()), served(digest)),
                        series,
                        digest.diagnosis().compilers().observed(),
                        digest.diagnosis().compilers().starved(),
                        digest.config())
                .verdict();
        return verdict instanceof Verdict.Peaked peaked
                ? end(
                        digest,
                        new Verdict.Peaked(
                                peaked.byThroughputAlone(), CompilationLimited.code(digest.info()), peaked.atLeast()))
                : verdict;
    }

    private static Verdict end(RunDigest digest, Verdict.Peaked peaked) {
        return digest.info()
                .attached()
                .<Verdict>map(before -> new Verdict.AtPeak(peaked, before.ran(), way(digest)))
                .orElse(peaked);
    }

    /** Returns in words what throughput did from the first request on. */
    private static String way(RunDigest digest) {
        String share = TimeToPeak.HEADLINE + " % of its peak";
        return digest.fromFirstRequest()
                .filter(time -> time.seconds().isPresent())
                .map(time -> time.hi().isPresent()
                                && time.hi().getAsDouble() <= digest.config().binSeconds()
                        ? "it served " + share + " from the first second of the load on"
                        : "its throughput came to " + share + " "
                                + time.words(
                                        digest.warmup().length * digest.config().binSeconds())
                                + " after the first request of this load")
                .orElse("when its throughput came to " + share + " is not known");
    }

    /** Returns what was offered, if it was served: then throughput is that of the offer, and no peak. */
    private static Optional<Verdict.Served> served(RunDigest digest) {
        boolean replay = digest.info().load().replay().isPresent();
        return digest.served()
                .all()
                .map(times -> new Verdict.Served(
                        times.offered(),
                        times.offer().isEmpty()
                                ? "a higher rate"
                                : replay ? "a higher speed" : "more connections or shorter think times"));
    }

    public Verdict verdict() {
        if (!invalid.isEmpty()) {
            return new Verdict.Invalid(invalid);
        }
        if (seen.totalsOnly()) {
            return cannot("only the totals of the whole test were kept", "a file with the requests of each second");
        }
        return seen.served().map(Verdict.class::cast).orElseGet(this::ofCurve);
    }

    private Verdict ofCurve() {
        SeriesAnalysis.Shape shape = series.shape();
        if (shape.stoppedSeconds().isPresent()) {
            return new Verdict.StoppedServing(shape.stoppedSeconds().getAsDouble());
        }
        Optional<Cycle> cycle = shape.cycle();
        if (cycle.isPresent() && cycle.get().sure()) {
            return new Verdict.Cycling(
                    cycle.get().high(), cycle.get().low(), cycle.get().periodBins() * series.binSeconds());
        }
        Optional<Verdict> word = word(shape);
        if (cycle.isPresent() && word.isPresent()) {
            return cannot(
                    String.format(
                            Locale.ROOT,
                            "throughput may cycle between %,.0f and %,.0f req/s, or this is noise",
                            cycle.get().high(),
                            cycle.get().low()),
                    "a load of twice the length");
        }
        return word.orElseGet(this::unknown);
    }

    private Optional<Verdict> word(SeriesAnalysis.Shape shape) {
        if (shape.slowing() || shape.afterPause().slower()) {
            return Optional.of(new Verdict.Slowing(!shape.slowing()));
        }
        if (series.endOverPeak().isEmpty() || series.ending().isEmpty()) {
            return Optional.empty();
        }
        Estimate r = series.endOverPeak().get();
        Peak peak = series.peak().orElseThrow();
        double enough = 1 - config.delta();
        if (r.below(enough)) {
            return Optional.of(below(series.ending().get(), r, peak));
        }
        boolean there = r.value() >= enough && r.above(config.end().peakedAbove()) && !peak.lowerBound();
        boolean doubted = starved.isPresent() || shape.slowingDoubt();
        return there && !doubted
                ? Optional.of(new Verdict.Peaked(
                        !watched, Verdict.PeakCode.ANY, config.end().peakedAbove()))
                : Optional.empty();
    }

    private Verdict below(Ending ending, Estimate r, Peak peak) {
        Estimate growth = ending.growth();
        if (growth.above(0)) {
            return new Verdict.StillClimbing(belowWhatItServed(ending, r, peak));
        }
        boolean level = growth.within(-config.delta(), config.delta());
        if (!level && starved.isEmpty()) {
            return new Verdict.BelowPeak(belowWhatItServed(ending, r, peak));
        }
        List<String> reasons = new ArrayList<>();
        reasons.add(ended(ending, r, "its peak of " + amount(peak)));
        starved.ifPresent(reasons::add);
        return new Verdict.FalsePlateau(reasons);
    }

    private String belowWhatItServed(Ending ending, Estimate r, Peak peak) {
        return ended(ending, r, "the " + amount(peak) + " that it served after the pause");
    }

    /** Returns where it ended, and which share of that peak this is. */
    private String ended(Ending ending, Estimate r, String peak) {
        return String.format(
                Locale.ROOT,
                "it ended at %,.0f req/s, %s of %s%s",
                ending.level().value(),
                range(r, ""),
                peak,
                level(r));
    }

    private static String amount(Peak peak) {
        return String.format(Locale.ROOT, "%s%,.0f", peak.lowerBound() ? "at least " : "", peak.value());
    }

    private Verdict unknown() {
        if (series.ending().isEmpty()) {
            return cannot(
                    String.format(Locale.ROOT, "%.0f s of load before the pause", series.seconds()),
                    String.format(Locale.ROOT, "%.0f s or more", config.end().leastEndBins() * series.binSeconds()));
        }
        Ending ending = series.ending().get();
        Optional<Peak.Absence> measured = series.absence().filter(Peak.Absence::judged);
        if (measured.isPresent()) {
            return cannot(measured.get().text(), "another load after another pause");
        }
        if (series.endOverPeak().isEmpty()) {
            return cannot(
                    String.format(
                            Locale.ROOT,
                            "it ended at %,.0f req/s; only a load after a pause shows whether that is its peak",
                            ending.level().value()),
                    "a pause and a load after it");
        }
        return between(series.endOverPeak().get(), series.peak().orElseThrow());
    }

    private Verdict between(Estimate r, Peak peak) {
        String known = "it ended " + range(r, "at ") + " of its peak" + level(r);
        double enough = 1 - config.delta();
        if (peak.lowerBound()) {
            return cannot(
                    "it ended " + range(r, "at ") + " of a peak that may be higher" + level(r) + ": " + peak.why(),
                    peak.bounds().contains(Peak.PeakBound.RISING)
                            ? "a longer load before the search for the peak"
                            : "rounds of pause and load until the peak is found (reference: until-found)");
        }
        if (r.value() >= enough && starved.isPresent()) {
            return cannot(known + ", but " + starved.get(), "rounds of pause and load until the peak is found");
        }
        Optional<HeldLevel> held = series.shape().held();
        boolean there = r.value() >= enough && r.above(config.end().peakedAbove());
        if (there && held.isPresent()) {
            return cannot(
                    String.format(
                            Locale.ROOT,
                            "%s, and may have held %,.0f req/s before",
                            known,
                            held.get().level()),
                    longer(r));
        }
        return there && series.shape().slowingDoubt()
                ? cannot(known + ", and throughput may go down", longer(r))
                : cannot(known, needed(r, peak, enough));
    }

    /** Returns what would decide on more than where it ended: a longer load, unless its seconds would drift as these did. */
    private String longer(Estimate r) {
        Noise noise = series.noise();
        boolean wide = r.hi() / r.value() > 1 + config.delta();
        boolean drifts = noise.bins() > 0 && noise.longRun() > DRIFT * noise.cv();
        return wide && drifts ? "more runs, or a quieter machine" : LONGER_LOAD;
    }

    /** Returns in words what would decide: noise falls with the root of the seconds and runs that are averaged. */
    private String needed(Estimate r, Peak peak, double enough) {
        double reach = Math.log(r.hi() / r.value());
        double gap =
                r.value() >= enough ? Math.log(r.value() / config.end().peakedAbove()) : Math.log(enough / r.value());
        int whole = config.bins(config.end().mostEndBins(), 10);
        double longest = Math.hypot(series.noise().ofMean(whole), peak.levelError());
        boolean few = series.ending().orElseThrow().bins() < whole;
        if (few && series.noise().reach(config.end().endZ()) * longest < gap) {
            return LONGER_LOAD;
        }
        double factor = Math.pow(reach / Math.max(gap, 1e-3), 2);
        // Of an end at which nothing was served there is no interval.
        return !(factor <= 20)
                ? "quieter CPUs, or many runs"
                : String.format(Locale.ROOT, "about %.0f runs", Math.max(2, Math.ceil(factor)));
    }

    private static Verdict cannot(String known, String decide) {
        return new Verdict.CannotTell(known, decide);
    }

    /** Returns the level of the interval, to end a sentence; blank where both ends round to one per cent. */
    private String level(Estimate r) {
        return Math.round(100 * r.lo()) == Math.round(100 * r.hi())
                ? ""
                : String.format(
                        Locale.ROOT,
                        " (%.0f %% interval)",
                        AnalysisConfig.level(config.end().endZ()));
    }

    /** Returns the interval in per cent: its ends, or, after the given word, the one percentage that both round to. */
    private static String range(Estimate r, String one) {
        long lo = Math.round(100 * r.lo());
        long hi = Math.round(100 * r.hi());
        return (lo == hi ? one : "between " + lo + " and ") + hi + " %";
    }
}
