package dev.kiln.plan;

import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.ClosingLoad;
import dev.kiln.model.experiment.Experiment.PlannedRun;
import dev.kiln.model.experiment.Target.AotCache;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.run.RunInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A Schedule is the order of runs: randomised blocks, each with every variant once, so that whatever drifts on the
 * machine hits all variants alike. The two variants of a duet run at once: the first of a block has the first half of the
 * CPUs, and the next block swaps them.
 *
 * @param runs all that may be run; an adaptive experiment may stop after any block from its least on
 * @param estimate of the whole, without building anything; a guess, for start-up times are what is measured
 * @param atMost the same where every search for a reference takes as long as it may
 */
public record Schedule(List<PlannedRun> runs, Duration estimate, Duration atMost) {
    /** The time covers the database and the target's start and end; Spring starts in about 9 s on one CPU. */
    private static final Duration AROUND_A_RUN = Duration.ofSeconds(14);

    /**
     * The time covers the stop of the service that ran before, where others start it anew. A container has 10 s for that by
     * default (stop_grace_period of the Compose Specification).
     */
    static final Duration RESTART = Duration.ofSeconds(10);

    /** The time is an upper guess: a Spring service's cache takes 5 to 10 s to assemble on one CPU. */
    private static final Duration CREATE_CACHE = Duration.ofSeconds(10);

    /** The load driver warms itself up once, in about this time. */
    public static final Duration BEFORE_ALL = Duration.ofSeconds(8);

    public Schedule {
        runs = List.copyOf(runs);
    }

    public static Schedule of(Experiment experiment) {
        SplitMix random = new SplitMix(experiment.seed());
        List<PlannedRun> runs = new ArrayList<>();
        for (int block = 1; block <= experiment.runs().atMost(); block++) {
            List<Variant> order =
                    experiment.isDuet() ? byHalf(experiment, block) : random.shuffled(experiment.variants());
            for (Variant variant : order) {
                runs.add(new PlannedRun(block, block, variant));
            }
        }
        Duration run = experiment.protocol().duration().plus(aroundARun(experiment));
        Duration training = experiment.variants().stream()
                .map(Variant::target)
                .distinct()
                .flatMap(target -> target.aot().stream())
                .map(Schedule::training)
                .reduce(Duration.ZERO, Duration::plus);
        long closings = runs.stream()
                .filter(one -> ClosingLoad.follows(experiment, one))
                .count();
        int atOnce = experiment.isDuet() ? 2 : 1;
        Duration estimate = run.multipliedBy(runs.size() / atOnce)
                .plus(BEFORE_ALL.multipliedBy(atOnce))
                .plus(training)
                .plus(ClosingLoad.TAKES.multipliedBy(closings / atOnce));
        Duration search =
                experiment.protocol().atMost().minus(experiment.protocol().duration());
        return new Schedule(runs, estimate, estimate.plus(search.multipliedBy(runs.size())));
    }

    /** Returns the variants of a block in the order of their halves. */
    private static List<Variant> byHalf(Experiment experiment, int block) {
        List<Variant> variants = experiment.variants();
        return RunInfo.Duet.half(0, block) == 1 ? variants : variants.reversed();
    }

    /** Estimates how long a run takes beside its protocol, as long as none has begun. */
    static Duration aroundARun(Experiment experiment) {
        return restarts(experiment) ? AROUND_A_RUN.plus(RESTART) : AROUND_A_RUN;
    }

    /** Tells whether others start the service anew for each run: then they do it for each variant. */
    static boolean restarts(Experiment experiment) {
        return experiment.variants().stream()
                .anyMatch(variant -> variant.target().restarts());
    }

    /** Estimates how long the making of an AOT cache takes before the first run. */
    static Duration training(AotCache aot) {
        return switch (aot) {
            case AotCache.Startup startup -> AROUND_A_RUN.plus(CREATE_CACHE);
            case AotCache.Traffic traffic ->
                AROUND_A_RUN.plus(traffic.duration()).plus(CREATE_CACHE);
            case AotCache.GivenCache given -> Duration.ZERO;
            case AotCache.OfVariant other -> Duration.ZERO;
        };
    }

    /**
     * SplitMix is SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014), written
     * out so that a recorded seed gives the same order on every JDK and can be checked in any language.
     * {@code java.util.Random} is specified too, but its first values hardly differ between small seeds.
     */
    static final class SplitMix {
        private long state;

        SplitMix(long seed) {
            this.state = seed;
        }

        long next() {
            state += 0x9e3779b97f4a7c15L;
            long z = state;
            z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
            z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
            return z ^ (z >>> 31);
        }

        /** Returns a number from 0 to {@code bound - 1}: the product's upper half, whose bias is below 2^-58. */
        int next(int bound) {
            return (int) Math.unsignedMultiplyHigh(next(), bound);
        }

        /** Returns the items in an order drawn by Fisher-Yates from the end (Knuth, TAOCP 3.4.2, algorithm P). */
        <T> List<T> shuffled(List<T> items) {
            List<T> shuffled = new ArrayList<>(items);
            for (int i = shuffled.size() - 1; i > 0; i--) {
                int j = next(i + 1);
                T swapped = shuffled.get(i);
                shuffled.set(i, shuffled.get(j));
                shuffled.set(j, swapped);
            }
            return List.copyOf(shuffled);
        }
    }
}
