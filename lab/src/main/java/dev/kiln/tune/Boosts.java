package dev.kiln.tune;

import dev.kiln.compare.Configuration;
import dev.kiln.compare.Measured;
import dev.kiln.model.Metric;
import dev.kiln.model.experiment.Modifier.CpuBoost;
import dev.kiln.tune.Trials.Results;
import dev.kiln.tune.Tuning.Boost;
import dev.kiln.tune.Tuning.Boost.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * How long a CPU boost must last: as long as it did until the compilers were quiet, or shorter in steps of ten seconds, in
 * runs of their own. It is long enough if its end costs less than a twentieth of the throughput.
 */
record Boosts(Trials trials) {
    private static final String STAGE = "5-boost";
    private static final int STEPS = 4;
    private static final int STEP_SECONDS = 10;
    private static final int BLOCKS = 2;

    /** Per cent of the peak. */
    private static final double ENOUGH = 95;

    /**
     * @param winner proven
     * @param figures of its runs
     * @return empty if it has no boost until it is warm, or none that ended in these runs
     */
    Optional<Boost> find(Candidate winner, Configuration figures) {
        Optional<CpuBoost> asked = winner.variant()
                .target()
                .modifier(CpuBoost.class)
                .filter(boost -> boost.time().isEmpty());
        OptionalDouble longest = figures.metric(Metric.BOOST_END.id()).stream()
                .flatMapToDouble(ends -> Arrays.stream(ends.values()))
                .max();
        if (asked.isEmpty() || longest.isEmpty()) {
            return Optional.empty();
        }
        long seconds = (long) Math.ceil(longest.getAsDouble());
        List<Candidate> shorter = new ArrayList<>();
        List<Long> lengths = new ArrayList<>();
        for (long length = seconds; length > 0 && lengths.size() < STEPS; length -= STEP_SECONDS) {
            lengths.add(length);
            shorter.add(trials.boosted(winner, lasting(asked.get(), length)));
        }
        if (!trials.affords(STAGE, shorter, BLOCKS, 0)) {
            return Optional.of(new Boost(lasting(asked.get(), seconds), Optional.empty(), false, List.of()));
        }
        Results results = trials.run(STAGE, shorter, BLOCKS);
        List<Step> steps = new ArrayList<>();
        OptionalLong least = OptionalLong.empty();
        for (int i = 0; i < lengths.size(); i++) {
            OptionalDouble after = results.of(shorter.get(i).name()).stream()
                    .flatMap(run -> run.metric(Metric.AFTER_BOOST.id()).stream())
                    .map(Measured::values)
                    .flatMapToDouble(Arrays::stream)
                    .average();
            steps.add(new Step(lengths.get(i), after));
        }
        for (Step step : steps) {
            // One whose end was not seen, because the load ended with it, speaks neither for nor against it.
            if (step.after().isPresent() && step.after().getAsDouble() < ENOUGH) {
                break;
            }
            least = step.after().isPresent() ? OptionalLong.of(Math.round(step.seconds())) : least;
        }
        return Optional.of(
                new Boost(lasting(asked.get(), least.orElse(seconds)), Optional.of(STAGE), least.isPresent(), steps));
    }

    private static CpuBoost lasting(CpuBoost boost, long seconds) {
        return new CpuBoost(boost.from(), boost.to(), Optional.of(Duration.ofSeconds(seconds)));
    }
}
