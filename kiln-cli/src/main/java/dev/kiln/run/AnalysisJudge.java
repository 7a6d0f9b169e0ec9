package dev.kiln.run;

import dev.kiln.evidence.RunReader;
import dev.kiln.explain.PeakSearch;
import dev.kiln.explain.RunDigest;
import dev.kiln.explain.UntilKnown;
import dev.kiln.explain.Validity;
import dev.kiln.model.experiment.FoundReference.Another;
import dev.kiln.runner.RunControl.Judge;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.series.SeriesAnalyser;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;

/** An AnalysisJudge judges a run that goes on by the same analysis that judges the finished one. */
final class AnalysisJudge implements Judge {
    @Override
    public boolean steady(double[] requestsPerSecond) {
        AnalysisConfig config = AnalysisConfig.defaults();
        return SeriesAnalyser.analyse(requestsPerSecond, config).level(config);
    }

    @Override
    public Known known(KnownRule rule, List<WatchedSecond> seconds) {
        UntilKnown.Answer answer = new UntilKnown(rule.least(), rule.most(), rule.rarest())
                .after(seconds.stream().map(AnalysisJudge::second).toList(), AnalysisConfig.defaults());
        return new Known(answer.known(), answer.why());
    }

    @Override
    public Searched searched(Path run, List<Double> earlier) {
        PeakSearch search = PeakSearch.after(RunReader.read(run), earlier, AnalysisConfig.defaults());
        return new Searched(
                search.level(), search.end(), search.why().map(Another::text).orElse(""));
    }

    @Override
    public OptionalDouble foundPeak(Path run) {
        return RunDigest.of(RunReader.read(run), AnalysisConfig.defaults()).foundPeak();
    }

    @Override
    public List<String> spoiled(Path run) {
        return Validity.spoiled(RunReader.read(run), AnalysisConfig.defaults());
    }

    private static UntilKnown.Second second(Judge.WatchedSecond second) {
        return new UntilKnown.Second(
                second.requestsPerSecond(),
                second.compilers()
                        .map(load -> new UntilKnown.Compilers(load.demand(), load.waitsCounted(), load.c2Queue())));
    }
}
