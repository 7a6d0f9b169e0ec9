package dev.kiln.plan;

import dev.kiln.model.Experiment;
import dev.kiln.model.Observe;
import dev.kiln.model.Variant;
import java.util.List;

/**
 * The experiment that measures what observing costs: the first variant alone, unobserved from within and then with each
 * instrument. Their runs are interleaved as those of all variants are, so the ratios are of runs under like conditions.
 */
public final class ObserverEffect {
    private ObserverEffect() {}

    /** The variant's own name is the unobserved one, against which the others are held. */
    public static Experiment of(Experiment experiment) {
        Variant first = experiment.variants().getFirst();
        return experiment.with(List.of(
                first.with(Observe.NOTHING),
                with(first, Observe.JIT, new Observe(true, false, false)),
                with(first, Observe.FLIGHT_RECORDER, new Observe(false, true, false)),
                with(first, Observe.ASYNC_PROFILER, new Observe(false, false, true))));
    }

    /** Whether an experiment is one of these. */
    public static boolean is(Experiment experiment) {
        return experiment.variants().size() > 1
                && experiment.variants().getFirst().observe().equals(Observe.NOTHING)
                && of(experiment).equals(experiment);
    }

    private static Variant with(Variant first, String instrument, Observe observe) {
        return first.named(first.name() + "-" + instrument).with(observe);
    }
}
