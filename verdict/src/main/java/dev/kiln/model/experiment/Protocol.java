package dev.kiln.model.experiment;

import dev.kiln.model.load.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A Protocol is the phases of a run in order, and the rounds behind them that look for a reference peak. */
public record Protocol(String name, List<Phase> phases, Optional<FoundReference> reference) {
    /** Several processes together get this pause in place of a search, because nothing watches their compilers. */
    private static final Duration ONE_PAUSE = Duration.ofSeconds(15);

    private static final Duration ONE_LOAD = Duration.ofSeconds(20);

    public Protocol {
        phases = List.copyOf(phases);
    }

    public Protocol(String name, List<Phase> phases) {
        this(name, phases, Optional.empty());
    }

    /** Returns how long the protocol typically takes; the figure is exact without a search. */
    public Duration duration() {
        return planned().plus(reference.isPresent() ? FoundReference.typical() : Duration.ZERO);
    }

    public Duration atMost() {
        return planned().plus(reference.isPresent() ? FoundReference.atMost() : Duration.ZERO);
    }

    private Duration planned() {
        return phases.stream().map(Phase::duration).reduce(Duration.ZERO, Duration::plus);
    }

    /** Returns the phases of load that are planned before any search. */
    public List<Phase.Load> loads() {
        return phases.stream()
                .filter(Phase.Load.class::isInstance)
                .map(Phase.Load.class::cast)
                .toList();
    }

    /** Tells whether the protocol has a pause, so that a load after it can show the peak. */
    public boolean paused() {
        return reference.isPresent() || phases.stream().anyMatch(Phase.Pause.class::isInstance);
    }

    /** Tells whether a load may end before its time, so that runs differ in length. */
    public boolean endsEarly() {
        return loads().stream().anyMatch(load -> load.earliestEnd().isPresent());
    }

    /** Returns the loads that end as soon as what the rest of them would show is known. */
    public List<Phase.Load> untilKnown() {
        return loads().stream()
                .filter(load -> load.untilKnownFrom().isPresent())
                .toList();
    }

    /** Returns the loads that change from their beginning to their end. */
    public List<Phase.Load> shaped() {
        return loads().stream().filter(load -> load.shape().isPresent()).toList();
    }

    /** Returns the phases, with one round of fixed length in place of a search. */
    public List<Phase> phasesWithOneRound() {
        List<Phase> all = new ArrayList<>(phases);
        if (reference.isPresent()) {
            all.add(new Phase.Pause(FoundReference.pause(1), ONE_PAUSE));
            all.add(new Phase.Load(FoundReference.load(1), ONE_LOAD));
        }
        return all;
    }

    /** A Phase is one part of a protocol. In a pause connections stay open and nothing is sent. */
    public sealed interface Phase {
        /** Returns the name of the phase, which is unique within the protocol. */
        String name();

        Duration duration();

        /**
         * A Load is a phase in which requests are sent.
         *
         * @param duration at most
         * @param untilSteadyFrom with it the phase ends as soon as throughput is steady, but not before this time
         * @param shape how the load changes; empty where it does not
         * @param untilKnownFrom with it the phase ends as soon as what the rest of it would show is known, but not
         *     before this time
         */
        record Load(
                String name,
                Duration duration,
                Optional<Duration> untilSteadyFrom,
                Optional<Shape> shape,
                Optional<Duration> untilKnownFrom)
                implements Phase {
            public Load(String name, Duration duration) {
                this(name, duration, Optional.empty(), Optional.empty(), Optional.empty());
            }

            /** Makes a phase that ends as soon as what the rest of it would show is known, but not before this time. */
            public static Load untilKnown(String name, Duration from, Duration most) {
                return new Load(name, most, Optional.empty(), Optional.empty(), Optional.of(from));
            }

            /** Returns the time from which on the phase may end before its own; empty where it may not. */
            public Optional<Duration> earliestEnd() {
                return untilSteadyFrom.or(() -> untilKnownFrom);
            }
        }

        record Pause(String name, Duration duration) implements Phase {}
    }
}
