package dev.kiln.compare;

import dev.kiln.model.Metric;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The runs of one configuration.
 *
 * @param experiment whose runs are interleaved in blocks with those of its other variants; empty for a table
 * @param origin the session in which all runs were made, and what they are called in it
 * @param circumstances what must be alike for a comparison to be fair: protocol, load, host; as far as known
 * @param metrics of the whole load that at least one run has
 * @param ofCalls the same of each call of a mix; shown and compared only where they are asked for
 * @param adaptive runs were added until the interval of the peak was narrow
 * @param notes what a reader must know of these runs; who renders them puts the name before them
 */
public record Configuration(
        String name,
        Optional<String> experiment,
        Origin origin,
        List<Circumstance> circumstances,
        List<Measured> metrics,
        List<Measured> ofCalls,
        boolean adaptive,
        List<String> notes) {
    /**
     * Where runs are from.
     *
     * @param session one experiment, or one table: runs of two sessions differ by what sessions differ by, too
     * @param variant its name there, whatever it is called beside others
     */
    public record Origin(String session, String variant) {}

    public Configuration {
        circumstances = List.copyOf(circumstances);
        metrics = List.copyOf(metrics);
        ofCalls = List.copyOf(ofCalls);
        notes = List.copyOf(notes);
    }

    /** One without a run. */
    public static Configuration none(String name) {
        return new Configuration(
                name, Optional.empty(), new Origin("", name), List.of(), List.of(), List.of(), false, List.of());
    }

    /** Whether the runs of both were interleaved in blocks, so that those of a block are pairs. */
    boolean sameExperiment(Configuration other) {
        return experiment.isPresent() && experiment.equals(other.experiment);
    }

    /** Whether all runs of both were made in one session. */
    boolean sameSession(Configuration other) {
        return origin.session().equals(other.origin.session());
    }

    /** As somebody knows it who made the runs of both sides in one go. */
    public Configuration inSession(String other) {
        return new Configuration(
                name,
                experiment,
                new Origin(other, origin.variant()),
                circumstances,
                metrics,
                ofCalls,
                adaptive,
                notes);
    }

    public Configuration named(String other) {
        return new Configuration(other, experiment, origin, circumstances, metrics, ofCalls, adaptive, notes);
    }

    /** Not to be held against another one for its machine, whose effect is asked for. */
    public Configuration withoutMachine() {
        List<Circumstance> left =
                circumstances.stream().filter(one -> !one.ofMachine()).toList();
        return new Configuration(name, experiment, origin, left, metrics, ofCalls, adaptive, notes);
    }

    /** With these metrics of calls among all others. */
    public Configuration showing(Predicate<Quantity> wanted) {
        List<Measured> shown = new ArrayList<>(metrics);
        List<Measured> others = new ArrayList<>();
        ofCalls.forEach(one -> (wanted.test(one.metric()) ? shown : others).add(one));
        return new Configuration(name, experiment, origin, circumstances, shown, others, adaptive, notes);
    }

    /** With no other metrics than these, and none of calls. */
    public Configuration only(Collection<Metric> wanted) {
        return new Configuration(
                name,
                experiment,
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

    /** The calls of its mix; none of a load with one. */
    public List<String> calls() {
        return all().flatMap(one -> Quantity.call(one.metric().id()).stream())
                .distinct()
                .toList();
    }

    private Stream<Measured> all() {
        return Stream.concat(metrics.stream(), ofCalls.stream());
    }

    /** The notes, each with the name it is about. */
    public List<String> namedNotes() {
        return notes.stream().map(note -> name + ": " + note).toList();
    }

    /** The same metric as another side has it. */
    public Optional<Measured> metric(String id) {
        return all().filter(m -> Metric.sameId(m.metric().id(), id)).findFirst();
    }

    /** What somebody asks for by its id, or by another name of it. */
    public Optional<Measured> asked(String name) {
        return metric(name)
                .or(() -> all().filter(m -> Metric.same(m.metric().id(), name)).findFirst());
    }

    /** Why a comparison of these two would not be fair; empty if nothing speaks against it. */
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

    /** The circumstance of the same kind, as far as known. */
    private Optional<Circumstance> like(Circumstance one) {
        return circumstances.stream()
                .filter(mine -> mine.getClass() == one.getClass())
                .findFirst();
    }

    /** Whether nothing that is known of both differs. */
    boolean sameCircumstances(Configuration other) {
        return circumstances.stream()
                .allMatch(mine ->
                        other.like(mine).filter(theirs -> !theirs.equals(mine)).isEmpty());
    }

    private static String said(String unit) {
        return unit.isEmpty() ? "no unit" : unit;
    }
}
