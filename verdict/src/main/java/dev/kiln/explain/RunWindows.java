package dev.kiln.explain;

import dev.kiln.explain.budget.BudgetReader;
import dev.kiln.explain.budget.Budgets;
import dev.kiln.explain.budget.Budgets.BudgetCurve;
import dev.kiln.explain.window.BinPolicy;
import dev.kiln.explain.window.LoadSeries;
import dev.kiln.explain.window.ThreadTimes;
import dev.kiln.explain.window.Thresholds;
import dev.kiln.explain.window.Window;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.explain.window.WindowEvidence.OtherWindows;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.stats.AnalysisConfig;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** RunWindows are the parts of a run that say what held it back; before counts its loads up to the pause. */
record RunWindows(RunEvidence evidence, ThreadTimes threads, List<LoadSeries> phases, int before) {
    /** The beginning of a load is its first ten seconds, as in the response times. */
    private static final long BEGINNING_NANOS = 10_000_000_000L;

    private List<LoadSeries> warmup() {
        return phases.subList(0, before);
    }

    private List<LoadSeries> measuring() {
        return phases.subList(before, phases.size());
    }

    private boolean loaded() {
        return phases.stream().anyMatch(phase -> phase.bins() > 0);
    }

    /** Returns the moment from which seconds count. */
    long zeroNanos() {
        if (phases.isEmpty()) {
            return 0;
        }
        return loaded() ? phases.getFirst().startNanos() : watched().fromNanos();
    }

    /** Returns the second half of the warm-up, with what came before it and what the service took at its peak. */
    WindowEvidence lateWarmup() {
        Window late = loaded() ? secondHalf() : watched();
        return WindowEvidence.in(
                evidence,
                threads,
                late,
                zeroNanos(),
                new OtherWindows(before(late).map(this::alone), reference().map(this::alone)));
    }

    private WindowEvidence alone(Window window) {
        return WindowEvidence.in(evidence, threads, window, zeroNanos(), OtherWindows.NONE);
    }

    /** Tells whether C2 was starved in the last load: steady as it may be, what a starved compiler leaves is no peak. */
    boolean starvedLast() {
        LoadSeries last = phases.getLast();
        return threads.starvedC2(
                        new Window(last.startNanos(), last.endNanos()),
                        evidence.info().provenance())
                .isPresent();
    }

    /** Returns these parts, and the same of each further process that served the load. */
    List<RunWindows> ofAll(AnalysisConfig config) {
        return Stream.concat(Stream.of(this), evidence.replicas().stream().map(replica -> of(replica, config)))
                .toList();
    }

    /** Returns the same parts of the run of a further process, on its own clock. */
    private RunWindows of(RunEvidence replica, AnalysisConfig config) {
        return new RunWindows(
                replica,
                ThreadTimes.of(replica),
                replica.info().phases().stream()
                        .filter(PhaseTime::load)
                        .map(phase -> BinPolicy.series(phase.name(), replica, config))
                        .toList(),
                before);
    }

    /**
     * Reads the budgets of the first seconds of the load, of its end, and of the last load after it; none where other processes
     * served part of it, because the requests of one are not known.
     */
    Budgets budgets(WindowEvidence window) {
        List<LoadSeries> warmup = warmup();
        List<LoadSeries> measuring = measuring();
        if (warmup.isEmpty() || warmup.getFirst().bins() == 0 || evidence.sent().shared()) {
            return Budgets.NONE;
        }
        BudgetReader reader = new BudgetReader(evidence, threads);
        LoadSeries first = warmup.getFirst();
        Budgets budgets = new Budgets(
                reader.of(new Window(
                        first.startNanos(), Math.min(first.endNanos(), first.startNanos() + BEGINNING_NANOS))),
                reader.of(window.end()),
                measuring.isEmpty()
                        ? Optional.empty()
                        : reader.of(new Window(
                                measuring.getLast().startNanos(),
                                measuring.getLast().endNanos())),
                BudgetCurve.of(evidence, reader, window.zeroNanos()));
        return evidence.closing()
                .filter(flight -> measuring.isEmpty() || budgets.reference().isPresent())
                .map(budgets::closedBy)
                .orElse(budgets);
    }

    /** Returns the second half of the warm-up, or its last phase alone if shorter: in a pause nothing is busy. */
    private Window secondHalf() {
        List<LoadSeries> loaded =
                warmup().stream().filter(phase -> phase.bins() > 0).toList();
        if (loaded.isEmpty()) {
            return new Window(0, 0);
        }
        long begin = loaded.getFirst().startNanos();
        LoadSeries last = loaded.getLast();
        long end = last.endNanos();
        return new Window(Math.max(begin + (end - begin) / 2, last.startNanos()), end);
    }

    /** Returns the load before the second half of the warm-up; empty if that begins with it. */
    private Optional<Window> before(Window late) {
        return warmup().stream()
                .filter(phase -> phase.bins() > 0)
                .findFirst()
                .map(phase -> new Window(phase.startNanos(), late.fromNanos()))
                .filter(window -> window.seconds() >= Thresholds.WINDOW_SECONDS);
    }

    /** Returns the last of the loads after the pause: what the service takes at its peak. */
    private Optional<Window> reference() {
        List<LoadSeries> measuring = measuring();
        return measuring.isEmpty()
                ? Optional.empty()
                : Optional.of(measuring.getLast())
                        .map(load -> new Window(load.startNanos(), load.endNanos()))
                        .filter(window -> window.seconds() >= Thresholds.WINDOW_SECONDS);
    }

    /** Returns the whole time of a run whose load was not Kiln's: a live process has no warm-up. */
    private Window watched() {
        long end =
                evidence.threads().isEmpty() ? 0 : evidence.threads().getLast().timeNanos();
        return evidence.info().phases().stream()
                .filter(PhaseTime::load)
                .findFirst()
                .map(phase -> new Window(phase.startNanos(), Math.max(phase.startNanos(), end)))
                .orElse(new Window(0, 0));
    }
}
