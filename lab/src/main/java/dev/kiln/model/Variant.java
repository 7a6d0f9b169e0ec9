package dev.kiln.model;

/**
 * One way to launch the target; all inheritance is already resolved.
 *
 * @param observe what watches its runs
 */
public record Variant(String name, Target target, Observe observe) {
    public Variant(String name, Target target) {
        this(name, target, Observe.USUAL);
    }

    public Variant with(Target other) {
        return new Variant(name, other, observe);
    }

    public Variant with(Observe other) {
        return new Variant(name, target, other);
    }

    public Variant named(String other) {
        return new Variant(other, target, observe);
    }
}
