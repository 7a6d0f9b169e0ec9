package dev.kiln.explain.window;

import dev.kiln.model.run.JitState.Deoptimisations;
import dev.kiln.model.run.JitState.Trap;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.stats.ObservedShare;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/**
 * DeoptimisationLooks are the looks at the last deoptimisations that the JVM keeps, each of which tells of a short stretch
 * that ends with it.
 *
 * @param looks in a window
 * @param seen the share of the window that is in the stretches
 * @param servedPerSecond requests that were answered in the window; empty where other processes answered part of them
 */
public record DeoptimisationLooks(List<Deoptimisations> looks, double seen, OptionalDouble servedPerSecond) {
    /** Deoptimisations are few only if so much of the window was seen: the rest is the last of five looks. */
    private static final double SEEN = 0.8;

    /** Stretches this short, in ns, are within the JVM's clock of ms: there were more than can be told. */
    private static final double SHORTEST_NANOS = 5e6;

    /** Returns the looks of a window; empty where the JVM was not asked in it. */
    public static Optional<DeoptimisationLooks> of(WindowEvidence s) {
        List<JitSample> rows = s.within(s.evidence().jit(), JitSample::timeNanos).stream()
                .filter(row -> row.deoptimisations().isPresent())
                .toList();
        double seen = rows.stream()
                .mapToLong(row -> Math.min(
                        row.deoptimisations().orElseThrow().withinNanos(),
                        row.timeNanos() - s.window().fromNanos()))
                .sum();
        // One that tells mostly of the time before the window would drown the others in it.
        List<Deoptimisations> looks = rows.stream()
                .filter(row -> 2 * (row.timeNanos() - s.window().fromNanos())
                        >= row.deoptimisations().orElseThrow().withinNanos())
                .flatMap(row -> row.deoptimisations().stream())
                .toList();
        return looks.isEmpty()
                ? Optional.empty()
                : Optional.of(new DeoptimisationLooks(
                        looks,
                        seen / 1e9 / s.seconds(),
                        s.evidence().sent().shared()
                                ? OptionalDouble.empty()
                                : OptionalDouble.of(s.servedPerSecond())));
    }

    /** Returns the looks before which this many came a second, in the time that they tell of. */
    private Predicate<Deoptimisations> fast(double perSecond) {
        return look -> look.perSecond() >= perSecond;
    }

    /** Returns how many a second came in the stretches together. */
    public double perSecond() {
        double nanos = looks.stream().mapToLong(Deoptimisations::withinNanos).sum();
        double all = looks.stream()
                .mapToDouble(look -> look.perSecond() * look.withinNanos())
                .sum();
        return nanos > 0 ? all / nanos : 0;
    }

    /** Tells whether so many came that the stretches are too short to count how many. */
    public boolean beyondCount() {
        return looks.stream().mapToLong(Deoptimisations::withinNanos).average().orElseThrow() < SHORTEST_NANOS;
    }

    /** Tells whether this many a second came before one look or more. */
    public boolean atTimes(double perSecond) {
        return looks.stream().anyMatch(fast(perSecond));
    }

    /** Tells whether so many a second changed no code for most of the time, by independent looks. */
    public boolean mostlyChangeNothing(double perSecond, double share) {
        return most(fast(perSecond).and(changesNothing(share)));
    }

    /** Tells whether this many a second came for most of the time, and changed code. */
    public boolean mostlyChange(double perSecond, double share) {
        return most(fast(perSecond).and(changesNothing(share).negate()));
    }

    private static Predicate<Deoptimisations> changesNothing(double share) {
        return look -> look.changedNothing() >= share * look.count();
    }

    private boolean most(Predicate<Deoptimisations> look) {
        return new ObservedShare((int) looks.stream().filter(look).count(), looks.size()).least() > 0.5;
    }

    /** Tells whether fewer came at any time, in a window of which most was seen. */
    public boolean fewer(double perSecond) {
        return seen >= SEEN && !atTimes(perSecond) && perSecond() < perSecond;
    }

    /** Returns how many came a second and for each request, at how many looks it was a rate or more, and what was left most often. */
    public String words(double perSecond) {
        int count = looks.stream().mapToInt(Deoptimisations::count).sum();
        int nothing = looks.stream().mapToInt(Deoptimisations::changedNothing).sum();
        String what = count == 0
                ? ""
                : String.format(
                        Locale.ROOT, "; %.0f %% of those that it kept changed no code", 100.0 * nothing / count);
        return String.format(
                Locale.ROOT,
                "%s%s deoptimisations a second%s by the last ones that the JVM kept, and %.0f or more at %d of %d looks%s%s",
                beyondCount() ? "over " : "",
                figure(perSecond()),
                count > 0 ? forEachRequest() : "",
                perSecond,
                looks.stream().filter(fast(perSecond)).count(),
                looks.size(),
                what,
                Trap.commonest(looks.stream().flatMap(look -> look.most().stream()))
                        .map(trap ->
                                "; most often at " + trap.place() + ": " + trap.reason() + ", action " + trap.action())
                        .orElse(""));
    }

    private String forEachRequest() {
        double served = servedPerSecond.orElse(0);
        return served > 0 ? " (" + figure(perSecond() / served) + " for each request)" : "";
    }

    private static String figure(double rate) {
        return String.format(Locale.ROOT, rate >= 100 ? "%,.0f" : "%.2g", rate);
    }
}
