import dev.kiln.compare.DuetComparison;
import dev.kiln.evidence.ExperimentReader;
import dev.kiln.evidence.RunReader;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.Assessment;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Estimate;
import dev.kiln.stats.Student.PairedRatio;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Prints of a folder of results: the ratio of the second variant to the first, both ends of its interval (nan: none), and
 * seconds from the first launch to the end of the last load. Of runs that followed one another it is the ratio of peaks,
 * paired by block, as kiln compare has it.
 */
void main(String[] args) {
    AnalysisConfig config = AnalysisConfig.defaults();
    Assessment assessment = new Assessment(config);
    long first = Long.MAX_VALUE;
    long last = 0;
    for (Path directory : ExperimentReader.find(Path.of(args[0])).directories()) {
        RunEvidence run = RunReader.read(directory);
        long launch = run.info().launch().launchMonotonicNanos();
        first = Math.min(first, launch);
        last = Math.max(last, launch + run.info().phases().getLast().endNanos().orElse(0));
        assessment.add(run);
    }
    ExperimentResult result = assessment.result("bench");
    Optional<Estimate> ratio = DuetComparison.of(result)
            .map(DuetComparison::ratio)
            .orElseGet(() -> paired(result, config.confidence()));
    IO.println(String.format(
            Locale.ROOT,
            "%.4f %.4f %.4f %.0f",
            ratio.map(Estimate::value).orElse(Double.NaN),
            ratio.map(Estimate::lo).orElse(Double.NaN),
            ratio.map(Estimate::hi).orElse(Double.NaN),
            (last - first) / 1e9));
}

Optional<Estimate> paired(ExperimentResult result, double confidence) {
    Map<Integer, Double> a = peaks(result.variants().getFirst());
    Map<Integer, Double> b = peaks(result.variants().getLast());
    a.keySet().retainAll(b.keySet());
    b.keySet().retainAll(a.keySet());
    if (a.size() < 2) {
        return Optional.empty();
    }
    PairedRatio ratio = PairedRatio.of(values(a), values(b), confidence);
    return Optional.of(new Estimate(ratio.ratio(), ratio.lo(), ratio.hi()));
}

Map<Integer, Double> peaks(VariantResult variant) {
    return variant.valid().stream()
            .filter(run -> run.series().measured().isPresent())
            .collect(Collectors.toMap(
                    RunResult::block, run -> run.series().measured().orElseThrow().value(), (x, y) -> y, TreeMap::new));
}

double[] values(Map<Integer, Double> byBlock) {
    return byBlock.values().stream().mapToDouble(Double::doubleValue).toArray();
}
