package dev.kiln.compare;

import dev.kiln.model.Metric;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A Configuration is the runs of one variant or one table, by metric, with all that decides whether a comparison is
 * fair.
 *
 * @param origin the session in which all runs were made, and what they are called in it
 * @param circumstances what must be alike for a comparison to be fair: protocol, load, host; as far as known
 * @param metrics of the whole load that at least one run has
 * @param onDemand metrics that are shown and compared only where they are asked for, such as those of each call of a mix
 * @param adaptive runs were added until the interval of the peak was narrow
 * @param notes what a reader must know of these runs; who renders them puts the name before them
 */
public record Configuration(
        String name,
        Origin origin,
        List<Circumstance> circumstances,
        List<Measured> metrics,
        List<Measured> onDemand,
        boolean adaptive,
        List<String> notes) {
    /**
     * An Origin is the session that runs come from.
     *
     * @param experiment whose runs are interleaved in blocks with those of its other variants; empty for a table
     * @param session one experiment, or one table: runs of two sessions differ by what sessions differ by, too
     * @param variant its name there, whatever it is called beside others
     */
    public record Origin(Optional<String> experiment, String session, String variant) {}

    public Configuration {
        circumstances = List.copyOf(circumstances);
        metrics = List.copyOf(metrics);
        onDemand = List.copyOf(onDemand);
        notes = List.copyOf(notes);
    }

    /** Returns a configuration that has no run. */
    public static Configuration none(String name) {
        return new Configuration(
                name, new Origin(Optional.empty(), "", name), List.of(), List.of(), List.of(), false, List.of());
    }

    /** Tells whether the runs of both were interleaved in blocks, so that those of a block are pairs. */
    boolean sameExperiment(Configuration other) {
        return origin.experiment().isPresent() && origin.experiment().equals(other.origin.experiment());
    }

    /** Tells whether all runs of both were made in one session. */
    boolean sameSession(Configuration other) {
        return origin.session().equals(other.origin.session());
    }

    /** Returns these runs as part of another session: whoever made the runs of both sides in one go may declare it. */
    public Configuration inSession(String other) {
        return new Configuration(
                name,
                new Origin(origin.experiment(), other, origin.variant()),
                circumstances,
                metrics,
                onDemand,
                adaptive,
                notes);
    }

    public Configuration named(String other) {
        return new Configuration(other, origin, circumstances, metrics, onDemand, adaptive, notes);
    }

    /** Returns these runs without the circumstances of their machine, to ask for the machine's effect. */
    public Configuration withoutMachine() {
        List<Circumstance> left =
                circumstances.stream().filter(one -> !one.ofMachine()).toList();
        return new Configuration(name, origin, left, metrics, onDemand, adaptive, notes);
    }

    /** Returns these runs with the wanted metrics on demand among those that are shown and compared. */
    public Configuration showing(Predicate<Quantity> wanted) {
        List<Measured> shown = new ArrayList<>(metrics);
        List<Measured> others = new ArrayList<>();
        onDemand.forEach(one -> (wanted.test(one.metric()) ? shown : others).add(one));
        return new Configuration(name, origin, circumstances, shown, others, adaptive, notes);
    }

    /** Returns these runs with the wanted metrics alone, and with none on demand. */
    public Configuration only(Collection<Metric> wanted) {
        return new Configuration(
                name,
                origin,
                circumstances,
                metrics.stream()
                        .filter(one -> wanted.stream()
                                .anyMatch(metric ->
                                        Metric.sameId(metric.id(), one.metric().id())))
                        .toList(),
                List.of(),
                adaptive,
                notes);
    }

    /** Returns the names of the calls of the mix; the list is empty for a load that has one call. */
    public List<String> calls() {
        return all().flatMap(one -> Quantity.call(one.metric().id()).stream())
                .distinct()
                .toList();
    }

    private Stream<Measured> all() {
        return Stream.concat(metrics.stream(), onDemand.stream());
    }

    /** Returns the notes, each with the name of this configuration before it. */
    public List<String> namedNotes() {
        return notes.stream().map(note -> name + ": " + note).toList();
    }

    /** Returns the metric with this id, of the load or of a call; empty where no run has it. */
    public Optional<Measured> metric(String id) {
        return all().filter(m -> Metric.sameId(m.metric().id(), id)).findFirst();
    }

    /** Returns the metric that a user names by its id or by another name of it; empty where there is none. */
    public Optional<Measured> asked(String name) {
        return metric(name)
                .or(() -> all().filter(m -> Metric.same(m.metric().id(), name)).findFirst());
    }

    /** Returns why a comparison of these two would not be fair; none if nothing speaks against it. */
    public List<String> differences(Configuration other) {
        List<String> out = new ArrayList<>();
        circumstances.forEach(mine -> other.like(mine)
                .filter(theirs -> !theirs.equals(mine))
                .ifPresent(theirs -> out.add("different " + mine.what() + ": " + mine.words() + " (" + name
                        + ") against " + theirs.words() + " (" + other.name + ")")));
        for (Measured mine : metrics) {
            other.metric(mine.metric().id())
                    .map(theirs -> theirs.metric().unit())
                    .filter(unit -> !unit.equals(mine.metric().unit()))
                    .ifPresent(unit -> out.add("different units: "
                            + mine.metric().id() + " in "
                            + said(mine.metric().unit()) + " (" + name + ") against " + said(unit) + " (" + other.name
                            + ")"));
        }
        return out;
    }

    /** Returns the circumstance of the same kind, as far as it is known. */
    private Optional<Circumstance> like(Circumstance one) {
        return circumstances.stream()
                .filter(mine -> mine.getClass() == one.getClass())
                .findFirst();
    }

    /** Tells whether the circumstances that are known of both are all alike. */
    boolean sameCircumstances(Configuration other) {
        return circumstances.stream()
                .allMatch(mine ->
                        other.like(mine).filter(theirs -> !theirs.equals(mine)).isEmpty());
    }

    private static String said(String unit) {
        return unit.isEmpty() ? "no unit" : unit;
    }
}
