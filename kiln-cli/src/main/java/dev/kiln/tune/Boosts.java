package dev.kiln.tune;

import dev.kiln.compare.Configuration;
import dev.kiln.compare.Measured;
import dev.kiln.model.Metric;
import dev.kiln.model.experiment.Modifier.BoostedStart;
import dev.kiln.tune.Trials.Results;
import dev.kiln.tune.Tuning.Boost;
import dev.kiln.tune.Tuning.Boost.BoostStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Boosts finds how long a CPU boost must last: as long as it did until the compilers were quiet, or shorter in steps of
 * ten seconds, in runs of their own. It is long enough if its end costs less than a twentieth of the throughput.
 */
record Boosts(Trials trials) {
    private static final String STAGE = "6-boost";
    private static final int STEPS = 4;
    private static final int STEP_SECONDS = 10;
    private static final int BLOCKS = 2;

    /** A boost is long enough if throughput after its end is at least this share of the peak, in percent. */
    private static final double ENOUGH = 95;

    /**
     * @param winner proven
     * @param figures of its runs
     * @param stage folder of these runs
     * @return empty if it has no boost, or one until it is warm that ended in none of these runs
     */
    Optional<Boost> find(Candidate winner, Configuration figures, String stage) {
        Optional<BoostedStart> asked = winner.variant().target().modifier(BoostedStart.class);
        if (asked.isEmpty()) {
            return Optional.empty();
        }
        if (asked.get().time().isPresent()) {
            BoostStep step = step(asked.get().time().get().toSeconds(), Optional.of(figures));
            return Optional.of(new Boost(asked.get(), Optional.of(stage), isEnough(step), List.of(step)));
        }
        OptionalDouble longest = figures.metric(Metric.BOOST_END.id()).stream()
                .flatMapToDouble(ends -> Arrays.stream(ends.values()))
                .max();
        return longest.isEmpty()
                ? Optional.empty()
                : Optional.of(shortest(winner, asked.get(), (long) Math.ceil(longest.getAsDouble())));
    }

    /**
     * Returns the boost with the shortest sufficient length: it tries shorter and shorter ones, until an end costs too
     * much.
     */
    private Boost shortest(Candidate winner, BoostedStart asked, long longest) {
        List<BoostStep> steps = new ArrayList<>();
        List<String> stages = new ArrayList<>();
        for (long from = longest;
                from > 0 && steps.stream().noneMatch(Boosts::isTooShort);
                from -= STEPS * STEP_SECONDS) {
            List<Candidate> shorter = new ArrayList<>();
            List<Long> lengths = new ArrayList<>();
            for (long length = from; length > 0 && lengths.size() < STEPS; length -= STEP_SECONDS) {
                lengths.add(length);
                shorter.add(trials.boosted(winner, lasting(asked, length)));
            }
            String stage = stages.isEmpty() ? STAGE : STAGE + "-" + (stages.size() + 1);
            if (!trials.affords(stage, shorter, BLOCKS, 0)) {
                break;
            }
            stages.add(stage);
            Results results = trials.run(stage, shorter, BLOCKS);
            for (int i = 0; i < lengths.size(); i++) {
                steps.add(step(lengths.get(i), results.of(shorter.get(i).name())));
            }
        }
        // One whose end was not seen, because the load ended with it, speaks neither for nor against it.
        OptionalDouble least = steps.stream()
                .takeWhile(step -> !isTooShort(step))
                .filter(Boosts::isEnough)
                .mapToDouble(BoostStep::seconds)
                .min();
        return new Boost(
                lasting(asked, Math.round(least.orElse(longest))),
                stages.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", stages)),
                least.isPresent(),
                steps);
    }

    private static BoostStep step(long seconds, Optional<Configuration> figures) {
        OptionalDouble after = figures.stream()
                .flatMap(runs -> runs.metric(Metric.AFTER_BOOST.id()).stream())
                .map(Measured::values)
                .flatMapToDouble(Arrays::stream)
                .average();
        return new BoostStep(seconds, after);
    }

    private static boolean isTooShort(BoostStep step) {
        return step.after().isPresent() && step.after().getAsDouble() < ENOUGH;
    }

    private static boolean isEnough(BoostStep step) {
        return step.after().isPresent() && step.after().getAsDouble() >= ENOUGH;
    }

    private static BoostedStart lasting(BoostedStart boost, long seconds) {
        return new BoostedStart(boost.from(), boost.to(), Optional.of(Duration.ofSeconds(seconds)));
    }
}
