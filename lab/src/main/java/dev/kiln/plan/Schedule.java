package dev.kiln.plan;

import dev.kiln.model.AotCache;
import dev.kiln.model.Experiment;
import dev.kiln.model.Experiment.PlannedRun;
import dev.kiln.model.Variant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The order of runs: randomised blocks, each with every variant once, so that whatever drifts on the machine hits all
 * variants alike.
 *
 * @param runs all that may be run; an adaptive experiment may stop after any block from its least on
 * @param estimate of the whole, without building anything; a guess, for start-up times are what is measured
 * @param atMost the same where every search for a reference takes as long as it may
 */
public record Schedule(List<PlannedRun> runs, Duration estimate, Duration atMost) {
    /** Database, start of the target and its end; a Spring service on one CPU starts in about 9 s. */
    private static final Duration AROUND_A_RUN = Duration.ofSeconds(14);

    /** A Spring service's cache takes 5 to 10 s to assemble on one CPU. */
    private static final Duration CREATE_CACHE = Duration.ofSeconds(10);

    /** The load driver makes itself hot once. */
    private static final Duration BEFORE_ALL = Duration.ofSeconds(8);

    public Schedule {
        runs = List.copyOf(runs);
    }

    public static Schedule of(Experiment experiment) {
        SplitMix random = new SplitMix(experiment.seed());
        List<PlannedRun> runs = new ArrayList<>();
        for (int block = 1; block <= experiment.runs().atMost(); block++) {
            for (Variant variant : random.shuffled(experiment.variants())) {
                runs.add(new PlannedRun(block, block, variant));
            }
        }
        Duration run = experiment.protocol().duration().plus(AROUND_A_RUN);
        Duration training = experiment.variants().stream()
                .map(Variant::target)
                .distinct()
                .flatMap(target -> target.aot().stream())
                .map(Schedule::training)
                .reduce(Duration.ZERO, Duration::plus);
        Duration estimate = run.multipliedBy(runs.size()).plus(BEFORE_ALL).plus(training);
        Duration search =
                experiment.protocol().atMost().minus(experiment.protocol().duration());
        return new Schedule(runs, estimate, estimate.plus(search.multipliedBy(runs.size())));
    }

    /** What the making of an AOT cache takes before the first run; a guess too. */
    static Duration training(AotCache aot) {
        return switch (aot) {
            case AotCache.Startup startup -> AROUND_A_RUN.plus(CREATE_CACHE);
            case AotCache.Traffic traffic ->
                AROUND_A_RUN.plus(traffic.duration()).plus(CREATE_CACHE);
            case AotCache.Given given -> Duration.ZERO;
        };
    }
}
