package dev.kiln.explain.study;

import dev.kiln.explain.RunDigest;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.RunResult.Caveats;
import dev.kiln.explain.RunResult.Explanation;
import dev.kiln.explain.RunResult.RunId;
import dev.kiln.explain.RunResult.SinceLaunch;
import dev.kiln.explain.RunResult.Throughput;
import dev.kiln.explain.Validity;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.Verdicts;
import dev.kiln.model.experiment.Claim;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.run.DensityStudy;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Verdict;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Figures;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.SeriesAnalyser;
import dev.kiln.stats.series.SeriesAnalysis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An Assessment turns the evidence of an experiment into its result. Runs are added one after the other and only their
 * digests are kept, so an experiment's evidence need not fit in memory; the reference peak of a variant joins its runs
 * at the end.
 */
public final class Assessment {
    private final AnalysisConfig config;
    private final Map<String, List<RunDigest>> variants = new LinkedHashMap<>();

    private final List<Claim> claims;

    public Assessment(AnalysisConfig config) {
        this(config, List.of());
    }

    /** Makes an assessment that also answers what the figures say to some claims. */
    public Assessment(AnalysisConfig config, List<Claim> claims) {
        this.config = config;
        this.claims = List.copyOf(claims);
    }

    /** Adds a run; variants come in the order of the experiment. */
    public void add(RunEvidence evidence) {
        evidence.info().which().variants().forEach(name -> variants.computeIfAbsent(name, n -> new ArrayList<>()));
        variants.computeIfAbsent(evidence.info().variant(), name -> new ArrayList<>())
                .add(RunDigest.of(evidence, config, Claims.parts(claims)));
    }

    public ExperimentResult result(String experiment) {
        return result(experiment, Optional.empty());
    }

    /** Returns the result of all runs added; that of a sweep also says how many processes fit an amount of memory. */
    public ExperimentResult result(String experiment, Optional<DensityStudy> density) {
        List<VariantResult> own = new ArrayList<>();
        variants.forEach((name, digests) -> {
            if (!digests.isEmpty()) {
                own.add(variant(name, digests));
            }
        });
        Optional<RunInfo> how = variants.values().stream()
                .flatMap(List::stream)
                .map(RunDigest::info)
                .findFirst();
        Protocol protocol = how.map(RunInfo::protocol).orElse(new Protocol("none", List.of()));
        Optional<SweepResult> sweep = SweepAssessment.of(variants, own, density, config);
        // Levels of a sweep are one service: that their peaks differ is what it measures.
        Optional<Yardstick> yardstick = sweep.isPresent() ? Optional.empty() : Yardstick.of(own);
        List<VariantResult> results = own.stream()
                .map(variant ->
                        yardstick.map(one -> one.hold(variant, common())).orElse(variant))
                .toList();
        return new ExperimentResult(
                experiment,
                protocol,
                results,
                new ExperimentResult.Answers(
                        sweep.map(found -> found.conclusion(config))
                                .orElseGet(() -> ExperimentConclusion.of(results, protocol)),
                        Footnotes.of(results, how),
                        new Claims(
                                        results.stream()
                                                .collect(Collectors.toMap(VariantResult::name, variant -> variant)),
                                        variants)
                                .answer(claims)),
                new ExperimentResult.LaunchFacts(how, launches()),
                sweep,
                common());
    }

    private SequencedMap<String, RunInfo> launches() {
        SequencedMap<String, RunInfo> launches = new LinkedHashMap<>();
        variants.forEach((name, digests) -> digests.stream()
                .map(RunDigest::info)
                .min(Comparator.comparing(info -> info.jvm().isEmpty()))
                .ifPresent(info -> launches.put(name, info)));
        return launches;
    }

    /** Returns the constants in force, where all runs have bins of one length; else the general ones. */
    private AnalysisConfig common() {
        List<AnalysisConfig> used = variants.values().stream()
                .flatMap(List::stream)
                .map(RunDigest::config)
                .distinct()
                .toList();
        return used.size() == 1 ? used.getFirst() : config;
    }

    private VariantResult variant(String name, List<RunDigest> digests) {
        List<SeriesAnalysis> alone =
                digests.stream().map(digest -> digest.series(Optional.empty())).toList();
        // An invalid run must not move the reference of valid ones; alone, it still gives its own figures a scale.
        List<Integer> valid = IntStream.range(0, digests.size())
                .filter(i -> digests.get(i).invalidReasons().isEmpty())
                .boxed()
                .toList();
        List<Integer> used =
                valid.isEmpty() ? IntStream.range(0, digests.size()).boxed().toList() : valid;
        List<Peak> peaks =
                used.stream().flatMap(i -> alone.get(i).peak().stream()).toList();
        boolean adaptive =
                digests.stream().anyMatch(digest -> digest.info().plan().runs().adaptive());
        Optional<Peak> reference = peaks.isEmpty()
                ? Optional.empty()
                : Optional.of(Peak.ofRuns(peaks, Precision.confidence(config.confidence(), adaptive)));
        Optional<Peak> found = reference.filter(peak -> !peak.lowerBound());
        List<RunResult> runs = new ArrayList<>();
        for (int i = 0; i < digests.size(); i++) {
            boolean bounded = alone.get(i).peak().filter(Peak::lowerBound).isPresent();
            runs.add(run(digests.get(i), bounded ? digests.get(i).series(found) : alone.get(i)));
        }
        return new VariantResult(name, reference, runs, pooled(digests, runs, reference), Optional.empty());
    }

    /**
     * Returns the mean of the valid runs' curves, each over its own peak, so that a machine's faster hour does not blur
     * the rise. It is empty where their bins have not one length, or are no seconds of a curve.
     */
    private static Optional<SeriesAnalysis> pooled(
            List<RunDigest> digests, List<RunResult> runs, Optional<Peak> reference) {
        List<double[]> first = new ArrayList<>();
        List<double[]> measure = new ArrayList<>();
        Set<AnalysisConfig> used = new HashSet<>();
        for (int i = 0; i < runs.size(); i++) {
            RunDigest digest = digests.get(i);
            SeriesAnalysis series = runs.get(i).series();
            if (runs.get(i).valid() && !series.times().isEmpty() && after(digest) > 0 && reference.isPresent()) {
                double peak = reference.get().value();
                first.add(scaled(
                        digest.warmup(), peak / series.peak().orElseThrow().value()));
                measure.add(scaled(digest.measure(), peak / after(digest)));
                used.add(digest.config());
            }
        }
        return first.size() < 2 || used.size() > 1
                ? Optional.empty()
                : Optional.of(SeriesAnalyser.analyse(
                        mean(first),
                        new SeriesAnalysis.MeasuredLoad(
                                mean(measure), reference.orElseThrow().bounds()),
                        Optional.empty(),
                        used.iterator().next()));
    }

    /** Returns requests per second after the pause; 0 where nothing was recorded there. */
    private static double after(RunDigest digest) {
        return digest.measure().length == 0 ? 0 : Peak.levels(List.of(digest.measure()), digest.config())[0];
    }

    private static double[] scaled(double[] bins, double scale) {
        return Arrays.stream(bins).map(x -> x * scale).toArray();
    }

    /** Returns the mean of the curves bin by bin, as far as all go. */
    private static double[] mean(List<double[]> curves) {
        int bins = curves.stream().mapToInt(curve -> curve.length).min().orElse(0);
        double[] mean = new double[bins];
        for (int i = 0; i < bins; i++) {
            int at = i;
            mean[i] = curves.stream().mapToDouble(curve -> curve[at]).average().orElse(0);
        }
        return mean;
    }

    private RunResult run(RunDigest digest, SeriesAnalysis series) {
        RunInfo info = digest.info();
        List<String> invalid =
                Validity.reasons(digest.invalidReasons(), digest.loads().warmupBins(), digest.config(), series);
        Verdict verdict = Verdicts.of(digest, invalid, series);
        return new RunResult(
                new RunId(info.variant(), info.run(), info.which().block()),
                new Caveats(
                        invalid,
                        notes(digest, series),
                        digest.caveats().provenance(),
                        digest.caveats().imported(),
                        info.attached()),
                new Throughput(series, digest.callResults()),
                info.attached().isPresent()
                        ? SinceLaunch.NOTHING
                        : new SinceLaunch(
                                seconds(info.course().readyNanos()),
                                seconds(info.course().firstResponseNanos()),
                                seconds(info.course().boostEndNanos()),
                                info.course().startupPhases()),
                digest.served(),
                digest.observation(),
                new Explanation(
                        verdict,
                        digest.findings(),
                        // What holds a service back that has peaked is over.
                        verdict.end().isPresent()
                                ? List.of()
                                : digest.diagnosis().forecasts()));
    }

    private static List<String> notes(RunDigest digest, SeriesAnalysis series) {
        List<String> notes = new ArrayList<>(digest.caveats().notes());
        series.absence().filter(Peak.Absence::judged).map(Peak.Absence::text).ifPresent(notes::add);
        if (series.binSeconds() > digest.config().binSeconds()) {
            double least = digest.config().minRequests();
            String bin = Figures.number(series.binSeconds());
            notes.add("analysed in bins of " + bin + " s: shorter ones "
                    + (series.served().few()
                            ? String.format(Locale.ROOT, "had fewer than %.0f requests", least)
                            : "alternate")
                    + "; times are known to " + bin + " s");
        }
        return notes;
    }

    private static OptionalDouble seconds(OptionalLong nanos) {
        return nanos.isPresent() ? OptionalDouble.of(nanos.getAsLong() / 1e9) : OptionalDouble.empty();
    }

    /**
     * A Yardstick is what variants are held against to compare them: the highest peak of all. Against its own peak a
     * starved variant reaches 90 % early and loses little, because it peaks low.
     *
     * @param variant whose peak it is
     */
    public record Yardstick(String variant, Peak peak) {
        /** Finds the highest peak, lower bounds included; empty without a second variant that has one. */
        public static Optional<Yardstick> of(Collection<VariantResult> variants) {
            List<Yardstick> peaks = variants.stream()
                    .filter(variant -> !variant.valid().isEmpty())
                    .flatMap(variant ->
                            variant.referencePeak().stream().map(peak -> new Yardstick(variant.name(), peak)))
                    .toList();
            return peaks.size() < 2
                    ? Optional.empty()
                    : peaks.stream().max(Comparator.comparingDouble(one -> one.peak.value()));
        }

        /** Holds a variant against the peak; one whose own peak is the highest, or that has none, stays as it is. */
        public VariantResult hold(VariantResult of, AnalysisConfig config) {
            // A service that had run before has no time to any peak.
            return of.runs().stream().anyMatch(run -> run.caveats().attached().isPresent())
                            || of.referencePeak()
                                    .filter(own -> own.value() < peak.value())
                                    .isEmpty()
                    ? of
                    : of.against(variant, peak, config);
        }
    }
}
