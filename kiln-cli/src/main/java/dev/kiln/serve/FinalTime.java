package dev.kiln.serve;

import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.VariantResult.Higher;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.run.RunInfo;
import dev.kiln.report.JsonOut;
import dev.kiln.stats.series.TimeToPeak;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A FinalTime is the T90 of a run as the report of its experiment has it. A run alone does not show it: where variants
 * are compared, it is to 90 % of the highest peak of all.
 *
 * @param number of the run on the live page
 * @param seconds length of the load
 * @param of the variant whose peak it is to; empty where that is the run's own variant
 */
record FinalTime(int number, TimeToPeak time, double seconds, Optional<String> of) {
    /** Returns the times of these runs that have a peak; a run that cannot be read is empty. */
    static List<FinalTime> all(ExperimentResult result, List<Optional<RunInfo>> runs) {
        List<FinalTime> all = new ArrayList<>();
        for (int n = 0; n < runs.size(); n++) {
            int number = n;
            runs.get(n).flatMap(run -> of(result, run, number)).ifPresent(all::add);
        }
        return all;
    }

    private static Optional<FinalTime> of(ExperimentResult result, RunInfo info, int number) {
        return result.variants().stream()
                .filter(variant -> variant.name().equals(info.variant()))
                .findFirst()
                .flatMap(variant -> variant.held().runs().stream()
                        .filter(run -> run.id().run() == info.run())
                        .findFirst()
                        .flatMap(run -> of(variant, run, number)));
    }

    private static Optional<FinalTime> of(VariantResult variant, RunResult run, int number) {
        return run.series()
                .time(TimeToPeak.HEADLINE)
                .map(time -> new FinalTime(
                        number, time, run.series().seconds(), variant.higher().map(Higher::variant)));
    }

    void fields(JsonOut out) {
        out.integer("n", number);
        out.number("t90", time.seconds(), 2);
        out.number("lo", time.lo(), 2);
        out.number("hi", time.hi(), 2);
        out.text("words", time.words(seconds));
        out.text("of", of);
    }
}
