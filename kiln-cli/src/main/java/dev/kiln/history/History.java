package dev.kiln.history;

import dev.kiln.explain.study.PastRun;
import dev.kiln.model.Metric;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.LevelShifts;
import dev.kiln.stats.Series;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A History is many experiments as series of sessions.
 *
 * @param runs all of them, in the order of their launch
 * @param series by experiment, variant and metric; without those that no run has
 * @param notes what a reader must know
 */
public record History(List<PastRun> runs, List<PastSeries> series, List<String> notes) {
    public History {
        runs = List.copyOf(runs);
        series = List.copyOf(series);
        notes = List.copyOf(notes);
    }

    /** Sorts runs into series, one for each experiment, variant and metric to follow. */
    public static History of(List<PastRun> runs, Set<Metric> metrics) {
        List<PastRun> sorted = runs.stream()
                .sorted(Comparator.comparingLong(PastRun::epochMillis)
                        .thenComparing(run -> run.name().folder())
                        .thenComparing(run -> run.name().variant())
                        .thenComparingInt(run -> run.name().run()))
                .toList();
        Map<List<String>, List<PastRun>> groups = new LinkedHashMap<>();
        sorted.forEach(run -> groups.computeIfAbsent(
                        List.of(run.name().experiment(), run.name().variant()), k -> new ArrayList<>())
                .add(run));
        List<PastSeries> series = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        groups.forEach((name, all) -> {
            List<PastRun> valid = all.stream().filter(PastRun::valid).toList();
            metrics.stream()
                    .sorted()
                    .map(metric -> PastSeries.of(name.get(0), name.get(1), metric, valid))
                    .filter(one -> !one.sessions().isEmpty())
                    .forEach(series::add);
            notes.addAll(notes(name.get(0) + ", " + name.get(1), all, valid));
        });
        return new History(sorted, series, notes);
    }

    private static List<String> notes(String name, List<PastRun> all, List<PastRun> valid) {
        List<String> notes = new ArrayList<>();
        if (valid.size() < all.size()) {
            notes.add(
                    name + ": " + (all.size() - valid.size()) + " of " + all.size() + " runs are invalid and left out");
        }
        long open = valid.stream().filter(run -> run.figures().peakAtLeast()).count();
        if (open > 0) {
            notes.add(name + ": the peak of " + open + " of " + valid.size()
                    + " runs is a lower bound, and so are the times to it and the warm-up cost. Kiln reports no"
                    + " change of these");
        }
        notes.addAll(differing(name, "hosts", valid, run -> run.setting().host()));
        notes.addAll(differing(name, "protocols", valid, run -> run.setting().protocol()));
        return notes;
    }

    private static List<String> differing(
            String name, String what, List<PastRun> runs, Function<PastRun, String> property) {
        Set<String> values = runs.stream().map(property).collect(Collectors.toCollection(TreeSet::new));
        return values.size() < 2
                ? List.of()
                : List.of(name + ": the runs are of different " + what + " (" + String.join("; ", values)
                        + "), so a change may be theirs");
    }

    /**
     * A PastSeries is one metric of one variant over time: one value a session, because runs of one session have in
     * common what the machine did then.
     *
     * @param sessions those with a valid run that has the metric, in the order of their launch
     * @param missing valid runs that do not, as where a time was not reached
     * @param open valid runs of which only a bound is known: their peak is one, or the load was over before the time
     * @param shifts empty with too few sessions, and where any run is open
     */
    public record PastSeries(
            String experiment,
            String variant,
            Metric metric,
            List<PastSession> sessions,
            int missing,
            int open,
            Optional<LevelShifts> shifts) {
        /** Times are known to a bin of a second. */
        private static final double BIN_SECONDS = 1;

        public PastSeries {
            sessions = List.copyOf(sessions);
        }

        static PastSeries of(String experiment, String variant, Metric metric, List<PastRun> valid) {
            Map<String, List<PastRun>> byFolder = new LinkedHashMap<>();
            valid.stream()
                    .filter(run -> run.figure(metric).isPresent())
                    .forEach(run -> byFolder.computeIfAbsent(run.name().folder(), folder -> new ArrayList<>())
                            .add(run));
            boolean ratios = byFolder.values().stream()
                    .flatMap(List::stream)
                    .allMatch(run -> run.figure(metric).orElseThrow() > 0);
            Set<String> bounded = valid.stream()
                    .filter(run -> run.open(metric))
                    .map(run -> run.name().folder())
                    .collect(Collectors.toSet());
            List<PastSession> sessions = byFolder.entrySet().stream()
                    .map(e -> PastSession.of(e.getValue(), metric, ratios, bounded.contains(e.getKey())))
                    .toList();
            int having =
                    sessions.stream().mapToInt(session -> session.runs().size()).sum();
            int open = (int) valid.stream().filter(run -> run.open(metric)).count();
            boolean tells = open == 0 && sessions.size() >= LevelShifts.MIN_POINTS;
            return new PastSeries(
                    experiment,
                    variant,
                    metric,
                    sessions,
                    valid.size() - having,
                    open,
                    tells
                            ? Optional.of(LevelShifts.of(
                                    sessions.stream()
                                            .mapToDouble(PastSession::value)
                                            .toArray(),
                                    metric.kind() == Metric.MetricKind.TIME ? BIN_SECONDS : 0))
                            : Optional.empty());
        }

        /** Returns the runs of all sessions, in the order of the sessions. */
        public List<PastRun> runs() {
            return sessions.stream().flatMap(session -> session.runs().stream()).toList();
        }

        /** Returns the number of runs before a session, which is where its own begin in {@code runs()}. */
        public int runsBefore(int session) {
            return sessions.subList(0, session).stream()
                    .mapToInt(one -> one.runs().size())
                    .sum();
        }

        /** Returns the changes that hold. */
        public List<LevelShifts.Shift> changes() {
            return shifts.map(LevelShifts::shifts).orElse(List.of());
        }

        /** Returns the changes that would have been reported as sessions came, whether or not they still hold. */
        public List<LevelShifts.Told> told() {
            return shifts.map(LevelShifts::told).orElse(List.of());
        }

        /** Returns the session with which a change begins. */
        public PastSession session(LevelShifts.Shift shift) {
            return sessions.get(shift.index());
        }

        /** Tells whether a change to a new level is for the better. */
        public boolean better(LevelShifts.Shift shift) {
            return shift.after() > shift.before() == (metric.better() == Metric.Better.HIGHER);
        }
    }

    /**
     * A PastSession is the runs of one variant in one experiment.
     *
     * @param runs valid ones that have the metric, in the order of their launch; at least one
     * @param value geometric mean of their figures; the mean where a series has figures of 0 or less
     * @param atLeast the true value may be higher: of a run only a bound is known
     */
    public record PastSession(List<PastRun> runs, double value, boolean atLeast) {
        public PastSession {
            runs = List.copyOf(runs);
        }

        static PastSession of(List<PastRun> runs, Metric metric, boolean ratios, boolean atLeast) {
            double[] figures = runs.stream()
                    .mapToDouble(run -> run.figure(metric).orElseThrow())
                    .toArray();
            double mean = Descriptive.mean(ratios ? Series.logs(figures) : figures);
            return new PastSession(runs, ratios ? Math.exp(mean) : mean, atLeast);
        }

        public PastRun first() {
            return runs.getFirst();
        }

        public String folder() {
            return first().name().folder();
        }
    }
}
