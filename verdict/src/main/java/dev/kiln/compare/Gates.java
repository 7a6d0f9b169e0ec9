package dev.kiln.compare;

import dev.kiln.compare.Gates.GateResult.GateRow;
import dev.kiln.explain.study.Precision;
import dev.kiln.model.KilnException;
import dev.kiln.model.Metric;
import dev.kiln.model.Metric.MetricUse;
import dev.kiln.model.experiment.GateSpec.Tolerance;
import dev.kiln.stats.Figures;
import dev.kiln.stats.Gate;
import dev.kiln.stats.Power;
import dev.kiln.stats.Resolution;
import dev.kiln.stats.Series;
import dev.kiln.stats.Sessions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** Gates hold metrics against tolerances: by intervals of runs, or by the point rule for single figures. */
public final class Gates {
    private Gates() {}

    /** Holds one figure a side against the tolerance; no interval exists then. */
    public static GateRow point(String metric, double current, double baseline, Tolerance tolerance) {
        Gate gate = Gate.point(baseline, current, new Gate.Rule(tolerance.percent(), tolerance.eitherWay(), 1, 1));
        return new GateRow(metric, metric, tolerance, 1, 1, Optional.of(gate), gate.notes());
    }

    /**
     * Holds a metric against its tolerance; the row is undecided where a side does not have the metric.
     *
     * @param earlier sessions of the same configuration
     * @param interim which of the planned interim analyses of growing data this is, from 1
     */
    public static GateRow of(
            Tolerance tolerance,
            Configuration current,
            Configuration baseline,
            EarlierSessions earlier,
            int interim,
            int interims) {
        Optional<Measured> ofBaseline = baseline.asked(tolerance.metric());
        Optional<Measured> ofCurrent = ofBaseline
                .map(found -> current.metric(found.metric().id()))
                .orElseGet(() -> current.asked(tolerance.metric()));
        Quantity metric = ofBaseline.or(() -> ofCurrent).map(Measured::metric).orElse(Quantity.of(tolerance.metric()));
        if (ofCurrent.isEmpty() || ofBaseline.isEmpty()) {
            String who = ofCurrent.isPresent()
                    ? baseline.name()
                    : ofBaseline.isPresent() ? current.name() : current.name() + " and " + baseline.name();
            String have = ofCurrent.isEmpty() && ofBaseline.isEmpty() ? " have" : " has";
            return undecided(metric, tolerance, who + have + " no " + metric.label() + missing(metric));
        }
        OptionalDouble factor = Quantity.factor(ofCurrent.get().metric().unit(), metric.unit());
        Measured now = ofCurrent.get().scaled(factor.orElse(1), metric.unit());
        Optional<Measured.MeasuredPairs> pairs =
                current.sameExperiment(baseline) ? Measured.MeasuredPairs.of(now, ofBaseline.get()) : Optional.empty();
        return row(
                tolerance,
                pairs.map(Measured.MeasuredPairs::a).orElse(now),
                pairs.map(Measured.MeasuredPairs::b).orElse(ofBaseline.get()),
                pairs,
                current.sameExperiment(baseline)
                        && !now.partners(ofBaseline.get()).runs().isEmpty(),
                earlier.between(baseline, current, metric, EarlierSessions.Scale.LOGARITHMS),
                new Gate.Rule(
                        tolerance.percent(),
                        tolerance.eitherWay(),
                        interim,
                        interims,
                        Precision.share(current.adaptive() || baseline.adaptive(), metric.id())));
    }

    /** Returns the end of a sentence that says what would have had to be recorded for this metric to exist. */
    private static String missing(Quantity metric) {
        return metric.is(Metric.ALLOCATION)
                ? ": it takes a flight recording (observe: {flight-recorder: on}), or a table that has it"
                : Stream.of(Metric.P75, Metric.P95, Metric.MEAN).anyMatch(metric::is)
                        ? ": only a histogram of all response times gives it, and none was recorded or imported"
                        : metric.isOfCall(Metric.P50, Metric.P99)
                                ? ": a second had no request of it, or for p99 under 100"
                                : ": no valid run recorded it, or shows it";
    }

    private static GateRow row(
            Tolerance tolerance,
            Measured current,
            Measured baseline,
            Optional<Measured.MeasuredPairs> pairs,
            boolean blocks,
            Sessions sessions,
            Gate.Rule rule) {
        Quantity metric = baseline.metric();
        if (!current.positive(baseline)) {
            String why = "a run has " + (Math.max(baseline.bin(), current.bin()) > 0 ? "less than a bin" : "0 or less")
                    + ": there is no ratio to compare with the tolerance";
            return undecided(metric, tolerance, why);
        }
        boolean alone = Math.min(current.runs().size(), baseline.runs().size()) < Power.FEWEST_BY_T;
        Resolution known = baseline.resolution(current);
        Gate gate = alone
                ? Gate.undecided(baseline.side(), current.side(), rule)
                : blocks
                        ? Gate.ofBlocks(baseline.side(), current.side(), rule, known, pairs.isPresent())
                        : Gate.of(baseline.side(), current.side(), rule, known, sessions);
        List<String> notes = new ArrayList<>();
        pairs.flatMap(Measured.MeasuredPairs::note).ifPresent(notes::add);
        bound(baseline).ifPresent(why -> notes.add("the baseline's figure is at least that: " + why));
        bound(current).ifPresent(why -> notes.add("the current figure is at least that: " + why));
        sessions(gate, baseline, current).ifPresent(notes::add);
        notes.addAll(gate.notes());
        return new GateRow(
                metric.id(),
                metric.title(),
                tolerance,
                current.runs().size(),
                baseline.runs().size(),
                Optional.of(gate),
                notes);
    }

    /** Returns a note on what the interval allows for two sessions; empty where both sides are of one. */
    private static Optional<String> sessions(Gate gate, Measured baseline, Measured current) {
        return switch (gate.sessions()) {
            case Sessions.One one -> Optional.empty();
            case Sessions.Unknown unknown ->
                Optional.of(
                        "two sessions; how much sessions differ is not known: the interval allows for "
                                + Figures.percent(Sessions.Unknown.allowance(
                                        Series.logs(baseline.values()), Series.logs(current.values())))
                                + " (standard deviation). Earlier sessions tell it (--sessions DIR); runs of one experiment need none");
            case Sessions.Known known ->
                Optional.of("two sessions; " + known.sessions() + " earlier sessions differ by "
                        + Figures.percent(known.sd()) + " (standard deviation), which the interval takes in");
        };
    }

    private static Optional<String> bound(Measured side) {
        long reached = side.runs().stream().filter(run -> !run.censored()).count();
        return side.anyCensored()
                ? Optional.of(reached + " of " + side.runs().size() + " runs got there within the load")
                : side.lowerBound();
    }

    private static GateRow undecided(Quantity metric, Tolerance tolerance, String why) {
        return new GateRow(metric.id(), metric.title(), tolerance, 0, 0, Optional.empty(), List.of(why));
    }

    /** Rejects a metric that is neither Kiln's nor a column of the sides: a typing error, told before any run. */
    public static void requireKnown(List<Tolerance> tolerances, Configuration... sides) {
        if (sides.length > 0) {
            requireCalls(
                    tolerances,
                    Arrays.stream(sides)
                            .flatMap(side -> side.calls().stream())
                            .distinct()
                            .toList());
        }
        for (Tolerance one : tolerances) {
            boolean known = Metric.comparable(one.metric()).isPresent()
                    || Quantity.call(one.metric()).isPresent()
                    || Arrays.stream(sides)
                            .anyMatch(side -> side.asked(one.metric()).isPresent());
            if (!known) {
                List<String> names = Stream.concat(
                                Stream.of(MetricUse.COMPARED, MetricUse.ASKED).flatMap(use -> Metric.ids(use).stream()),
                                Arrays.stream(sides)
                                        .flatMap(side -> side.metrics().stream())
                                        .map(measured -> measured.metric().id()))
                        .distinct()
                        .toList();
                throw KilnException.usage(
                        one.place() + ": unknown metric '" + one.metric() + "'",
                        metricsOfCalls(one.metric()).orElseGet(() -> "known: " + String.join(", ", names)));
            }
        }
    }

    /** Returns a hint that lists the metrics of calls, where the name asks for one; else it is empty. */
    public static Optional<String> metricsOfCalls(String asked) {
        return asked.indexOf(Metric.OF) >= 0
                ? Optional.of("a call has " + String.join(", ", Metric.ids(MetricUse.OF_CALLS)))
                : Optional.empty();
    }

    /** Rejects metrics of calls that the load does not have, which is a typing error too. */
    public static void requireCalls(List<Tolerance> tolerances, List<String> calls) {
        for (Tolerance one : tolerances) {
            Quantity.call(one.metric()).ifPresent(call -> requireCall(one.place(), call, calls));
        }
    }

    /** Rejects a call that the load does not have, in the name of who asks for it. */
    public static void requireCall(String asker, String call, List<String> calls) {
        if (!calls.contains(call)) {
            throw KilnException.usage(
                    asker + ": unknown call '" + call + "'",
                    calls.isEmpty()
                            ? "the load has one call, so there are no metrics of calls"
                            : "known: " + String.join(", ", calls));
        }
    }

    /** A GateResult has the verdicts on all metrics of current, and notes, the most important first. */
    public record GateResult(
            String current, String baseline, List<GateRow> rows, int interim, int interims, List<String> notes) {
        public GateResult {
            rows = List.copyOf(rows);
            notes = List.copyOf(notes);
        }

        /** Returns FAIL if any metric fails, and PASS only if all pass. */
        public Gate.Verdict verdict() {
            return rows.stream()
                    .map(GateRow::verdict)
                    .min(Comparator.naturalOrder())
                    .orElse(Gate.Verdict.INCONCLUSIVE);
        }

        /** Returns how often a gate of several metrics is wrong, over all its looks (Bonferroni); empty where fewer than two have an interval. */
        public Optional<String> together() {
            long metrics = rows.stream()
                    .flatMap(row -> row.found().stream())
                    .map(Gate::change)
                    .filter(change ->
                            change.loPct().isPresent() || change.hiPct().isPresent())
                    .count();
            return metrics < 2
                    ? Optional.empty()
                    : Optional.of("a gate of " + metrics + " metrics fails in at most "
                            + Figures.percent(Math.min(1, metrics * Gate.ALPHA_PER_SIDE))
                            + " of cases if none lies beyond its tolerance, and passes in at most "
                            + Figures.percent(Gate.ALPHA_PER_SIDE) + " if one does");
        }

        /** Returns the rows whose sides are of two sessions, where it is not known how much sessions differ. */
        public List<GateRow> ofUnknownSessions() {
            return rows.stream()
                    .filter(row -> row.found()
                            .filter(gate -> gate.sessions().equals(Sessions.UNKNOWN))
                            .isPresent())
                    .toList();
        }

        /** A GateRow is one metric, with its unit, held against its tolerance; found is empty where nothing is held. */
        public record GateRow(
                String metric,
                String label,
                Tolerance tolerance,
                int currentRuns,
                int baselineRuns,
                Optional<Gate> found,
                List<String> notes) {
            public GateRow {
                notes = List.copyOf(notes);
            }

            public Gate.Verdict verdict() {
                return found.map(Gate::verdict).orElse(Gate.Verdict.INCONCLUSIVE);
            }

            /** Returns the same row under another label, for tables that name their metrics otherwise. */
            public GateRow labelled(String other) {
                return new GateRow(metric, other, tolerance, currentRuns, baselineRuns, found, notes);
            }
        }
    }
}
