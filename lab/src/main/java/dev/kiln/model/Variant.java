package dev.kiln.model;

import java.util.OptionalInt;

/**
 * One way to launch the target; all inheritance is already resolved.
 *
 * @param observe what watches its runs
 * @param connections of its load, where it is one level of a sweep; empty for the experiment's
 */
public record Variant(String name, Target target, Observe observe, OptionalInt connections) {
    public Variant(String name, Target target, Observe observe) {
        this(name, target, observe, OptionalInt.empty());
    }

    public Variant(String name, Target target) {
        this(name, target, Observe.USUAL);
    }

    public Variant with(Target other) {
        return new Variant(name, other, observe, connections);
    }

    public Variant with(Observe other) {
        return new Variant(name, target, other, connections);
    }

    public Variant named(String other) {
        return new Variant(other, target, observe, connections);
    }

    /** The same under the load of one level of a sweep. */
    public Variant at(SweepLevel level) {
        return new Variant(level.variant(), target, observe, OptionalInt.of(level.connections()));
    }
}
