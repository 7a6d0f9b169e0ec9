import dev.kiln.evidence.ExperimentReader;
import dev.kiln.evidence.RunReader;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.study.Assessment;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.study.Precision;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.stats.AnalysisConfig;
import java.nio.file.Path;
import java.util.Locale;

/** Prints of a folder of results: valid runs, width of the interval of the peak in percent, seconds of all runs. */
void main(String[] args) {
    AnalysisConfig config = AnalysisConfig.defaults();
    Assessment assessment = new Assessment(config);
    double seconds = 0;
    for (Path directory : ExperimentReader.find(Path.of(args[0])).directories()) {
        RunEvidence run = RunReader.read(directory);
        seconds += run.info().phases().getLast().endNanos().orElse(0) / 1e9;
        assessment.add(run);
    }
    ExperimentResult result = assessment.result("bench");
    long valid = result.variants().getFirst().runs().stream().filter(RunResult::valid).count();
    double width = Precision.width(result, config.confidence()).orElse(Double.NaN);
    IO.println(String.format(Locale.ROOT, "%d %.2f %.0f", valid, 100 * width, seconds));
}
