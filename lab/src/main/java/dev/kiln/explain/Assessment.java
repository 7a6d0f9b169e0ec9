package dev.kiln.explain;

import dev.kiln.model.Claim;
import dev.kiln.model.DensityStudy;
import dev.kiln.model.Protocol;
import dev.kiln.model.RunEvidence;
import dev.kiln.model.RunInfo;
import dev.kiln.stats.Analysed;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.CooldownJump;
import dev.kiln.stats.Deficit;
import dev.kiln.stats.JumpEvidence;
import dev.kiln.stats.ReferencePeak;
import dev.kiln.stats.SeriesAnalysis;
import dev.kiln.stats.SeriesAnalyzer;
import dev.kiln.stats.TimeToPeak;
import dev.kiln.stats.Warning;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * From evidence to results. Runs are added one after the other and only their digests are kept, so an experiment's
 * evidence need not fit in memory; the reference peak of a variant joins its runs at the end.
 */
public final class Assessment {
    private final AnalysisConfig config;
    private final Map<String, List<RunDigest>> variants = new LinkedHashMap<>();

    public Assessment(AnalysisConfig config) {
        this.config = config;
    }

    /** Adds a run; variants come in the order of the experiment. */
    public void add(RunEvidence evidence) {
        evidence.info().variants().forEach(name -> variants.computeIfAbsent(name, n -> new ArrayList<>()));
        variants.computeIfAbsent(evidence.info().variant(), name -> new ArrayList<>())
                .add(RunDigest.of(evidence, config));
    }

    public ExperimentResult result(String experiment) {
        return result(experiment, List.of());
    }

    /** With what the figures say to some claims. */
    public ExperimentResult result(String experiment, List<Claim> claims) {
        return result(experiment, claims, Optional.empty());
    }

    /** A sweep also says how many processes fit an amount of memory. */
    public ExperimentResult result(String experiment, List<Claim> claims, Optional<DensityStudy> density) {
        List<VariantResult> results = new ArrayList<>();
        variants.forEach((name, digests) -> {
            if (!digests.isEmpty()) {
                results.add(variant(name, digests));
            }
        });
        Optional<RunInfo> how = variants.values().stream()
                .flatMap(List::stream)
                .map(RunDigest::info)
                .findFirst();
        Protocol protocol = how.map(RunInfo::protocol).orElse(new Protocol("none", List.of()));
        Optional<SweepResult> sweep = SweepAssessment.of(variants, results, density, config);
        return new ExperimentResult(
                experiment,
                protocol,
                results,
                sweep.map(SweepConclusion::of).orElseGet(() -> Conclusion.of(results, protocol)),
                Footnotes.of(results, how),
                how,
                new Claims(
                                results.stream().collect(Collectors.toMap(VariantResult::name, variant -> variant)),
                                variants)
                        .answer(claims),
                sweep,
                common());
    }

    /** The constants in force, where all runs have bins of one length. */
    private AnalysisConfig common() {
        List<AnalysisConfig> used = variants.values().stream()
                .flatMap(List::stream)
                .map(RunDigest::config)
                .distinct()
                .toList();
        return used.size() == 1 ? used.getFirst() : config;
    }

    private VariantResult variant(String name, List<RunDigest> digests) {
        List<RunDigest> measured = digests.stream()
                .filter(digest -> Arrays.stream(digest.measure()).sum() > 0)
                .toList();
        List<RunDigest> valid = measured.stream()
                .filter(digest -> digest.invalidReasons().isEmpty())
                .toList();
        // An invalid run must not move the reference of valid ones; alone, it still gives its own figures a scale.
        Optional<ReferencePeak> reference = reference(valid.isEmpty() ? measured : valid);
        return new VariantResult(
                name,
                reference,
                digests.stream()
                        .map(digest -> run(digest, reference, jump(valid)))
                        .toList());
    }

    private Optional<ReferencePeak> reference(List<RunDigest> measured) {
        if (measured.isEmpty()) {
            return Optional.empty();
        }
        ReferencePeak peak =
                ReferencePeak.of(measured.stream().map(RunDigest::measure).toList(), config);
        if (measured.stream().anyMatch(digest -> StillClimbing.is(digest.measure(), digest.config()))) {
            peak = peak.atLeast(new Warning(
                    Warning.Code.REFERENCE_WHILE_CLIMBING,
                    "throughput climbed through the measuring phase: the reference peak is a lower bound"));
        }
        return Optional.of(
                measured.stream().anyMatch(RunDigest::starvedWhileMeasured)
                        ? peak.atLeast(new Warning(
                                Warning.Code.REFERENCE_WHILE_COMPILING,
                                "C2 waited for a CPU in the measuring phase: the reference peak is a lower bound"))
                        : peak);
    }

    private Optional<JumpEvidence> jump(List<RunDigest> valid) {
        List<CooldownJump> jumps = valid.stream()
                .map(digest -> CooldownJump.of(digest.warmup(), digest.measure(), config))
                .flatMap(Optional::stream)
                .toList();
        return jumps.isEmpty() ? Optional.empty() : Optional.of(JumpEvidence.of(jumps, config));
    }

    private RunResult run(RunDigest digest, Optional<ReferencePeak> reference, Optional<JumpEvidence> jump) {
        RunInfo info = digest.info();
        AnalysisConfig config = digest.config();
        double[] bins = digest.warmup();
        SeriesAnalysis warmup = SeriesAnalyzer.warmup(bins, config);
        Optional<SeriesAnalysis> measure = digest.measure().length == 0
                ? Optional.empty()
                : Optional.of(SeriesAnalyzer.measuring(digest.measure(), config));
        OptionalDouble peak = reference.isPresent()
                ? OptionalDouble.of(reference.get().value())
                : warmup instanceof Analysed a ? a.peakUsed() : OptionalDouble.empty();
        Map<Integer, TimeToPeak> times = reference
                .map(p -> times(bins, p.value(), tailCv(warmup, measure), config))
                .orElse(Map.of());
        List<String> invalid = invalidReasons(digest, times);
        return new RunResult(
                info.variant(),
                info.run(),
                info.block(),
                invalid,
                warmup,
                measure,
                times,
                peak.isPresent() && bins.length > 0
                        ? Optional.of(Deficit.of(bins, config.binSeconds(), peak.getAsDouble()))
                        : Optional.empty(),
                CooldownJump.of(bins, digest.measure(), config),
                seconds(info.readyNanos()),
                seconds(info.firstResponseNanos()),
                digest.requests(),
                digest.errors(),
                digest.phases(),
                digest.observed(),
                digest.curves(),
                new Explanation(
                        ForeignBins.verdict(info, invalid)
                                .orElseGet(() -> new Verdicts(
                                                invalid,
                                                warmup,
                                                reference,
                                                jump,
                                                digest.compilers(),
                                                info.load().rate(),
                                                config)
                                        .verdict()),
                        digest.findings(),
                        digest.forecasts()),
                StillClimbing.notes(digest),
                info.provenance(),
                info.imported());
    }

    /** A time read off within reach of a bad bin is not to be trusted, even if bad bins are few. */
    private List<String> invalidReasons(RunDigest digest, Map<Integer, TimeToPeak> times) {
        List<String> reasons = new ArrayList<>(digest.invalidReasons());
        if (reasons.isEmpty()) {
            TimeToPeak headline = times.get(Conclusion.HEADLINE_PERCENT);
            List<Double> reported = headline == null
                    ? List.of()
                    : headline.seconds().stream().boxed().toList();
            digest.warmupBins().reasons(reported, digest.config()).forEach(warning -> reasons.add(warning.text()));
        }
        return reasons;
    }

    /** The noise that a level must stand out from: the warm-up's own tail, or the measuring phase's if it has none. */
    private static double tailCv(SeriesAnalysis warmup, Optional<SeriesAnalysis> measure) {
        if (warmup instanceof Analysed own) {
            return own.tailCv();
        }
        return measure.isPresent() && measure.get() instanceof Analysed after ? after.tailCv() : 0;
    }

    private static Map<Integer, TimeToPeak> times(double[] bins, double peak, double tailCv, AnalysisConfig config) {
        Map<Integer, TimeToPeak> times = new TreeMap<>();
        for (int percent : SeriesAnalyzer.PERCENTAGES) {
            times.put(percent, TimeToPeak.of(bins, config.binSeconds(), peak, percent, tailCv, config));
        }
        return times;
    }

    private static OptionalDouble seconds(OptionalLong nanos) {
        return nanos.isPresent() ? OptionalDouble.of(nanos.getAsLong() / 1e9) : OptionalDouble.empty();
    }
}
