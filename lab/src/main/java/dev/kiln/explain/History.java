package dev.kiln.explain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Many experiments, seen as series of runs.
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

    /** @param metrics to follow */
    public static History of(List<PastRun> runs, Set<PastMetric> metrics) {
        List<PastRun> sorted = runs.stream()
                .sorted(Comparator.comparingLong(PastRun::epochMillis)
                        .thenComparing(PastRun::folder)
                        .thenComparing(PastRun::variant)
                        .thenComparingInt(PastRun::run))
                .toList();
        Map<List<String>, List<PastRun>> groups = new LinkedHashMap<>();
        sorted.forEach(run -> groups.computeIfAbsent(List.of(run.experiment(), run.variant()), k -> new ArrayList<>())
                .add(run));
        List<PastSeries> series = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        groups.forEach((name, all) -> {
            List<PastRun> valid = all.stream().filter(PastRun::valid).toList();
            metrics.stream()
                    .sorted()
                    .map(metric -> PastSeries.of(name.get(0), name.get(1), metric, valid))
                    .filter(one -> !one.runs().isEmpty())
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
        long open = valid.stream().filter(PastRun::peakAtLeast).count();
        if (open > 0) {
            notes.add(name + ": the peak of " + open + " of " + valid.size()
                    + " runs is a lower bound, and so are times" + " and costs against it: no change of them is told");
        }
        notes.addAll(differing(name, "hosts", valid, PastRun::host));
        notes.addAll(differing(name, "protocols", valid, PastRun::protocol));
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
}
