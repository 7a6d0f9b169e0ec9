package dev.kiln.tune;

import dev.kiln.engines.Engines;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.plan.Schedule;
import dev.kiln.tune.BudgetPlan.Lengths;
import java.time.Duration;
import java.util.Optional;

/** A TuneBudget is the time that a search may take, how much of it is spent, and what is known of the length of a run. */
final class TuneBudget {
    private final double limit;
    private final double spentBefore;
    private final double saved;

    /** The seconds by which the shortest run of what is handed over is shorter than a whole one. */
    private final double savedAtTheEnd;

    private final long beganNanos = System.nanoTime();
    private double secondsOfARun;

    /** @param spentBefore seconds that the search took before it was ended */
    TuneBudget(Duration limit, double spentBefore, Experiment experiment) {
        this.limit = limit.toMillis() / 1e3;
        this.spentBefore = spentBefore;
        saved = saved(experiment);
        savedAtTheEnd = seconds(experiment.protocol()) - seconds(AsWritten.shortest(experiment));
        secondsOfARun = seconds(experiment, 1);
    }

    /** Returns how long things of a search take, before anything was measured. */
    static Lengths lengths(Experiment experiment, Goal goal) {
        double before = Schedule.BEFORE_ALL.toMillis() / 1e3;
        double run = seconds(experiment, 2) - seconds(experiment, 1);
        return new Lengths(
                before,
                run,
                canScreen(experiment, goal) ? Optional.of(run - saved(experiment)) : Optional.empty(),
                seconds(experiment, 1) - run - before,
                seconds(experiment.with(AsWritten.shortest(experiment)), 1) - before);
    }

    private static double seconds(Protocol protocol) {
        return protocol.duration().toMillis() / 1e3;
    }

    private static double seconds(Experiment experiment, int runs) {
        Experiment some = experiment.with(experiment.variants().subList(0, 1)).with(Runs.fixed(runs));
        return Schedule.of(some).estimate().toMillis() / 1e3;
    }

    /** Returns the seconds by which a screen is shorter than a run. */
    private static double saved(Experiment experiment) {
        return seconds(experiment.protocol()) - Screening.SECONDS;
    }

    /**
     * Under a rate what is served says nothing, and neither do the first seconds of a load that changes; nor do they say anything of
     * the peak.
     */
    private static boolean canScreen(Experiment experiment, Goal goal) {
        LoadTemplate load = experiment.load();
        return goal != Goal.PEAK
                && load.rate().isEmpty()
                && load.replay().isEmpty()
                && experiment.protocol().shaped().isEmpty()
                && experiment.protocol().phases().getFirst() instanceof Phase.Load first
                && first.duration().toSeconds() >= Screening.SECONDS;
    }

    /** Says why no screen can end before its time, in words; empty where it can. */
    static Optional<String> blind(Experiment experiment) {
        return Engines.of(experiment.load()).blind();
    }

    double spent() {
        return spentBefore + (System.nanoTime() - beganNanos) / 1e9;
    }

    /** Tells whether the search had begun before, so that its runs may be hours old. */
    boolean wentOn() {
        return spentBefore > 0;
    }

    /** Tells whether so many short and whole runs fit into what is left, and the shortest run of what is handed over after them. */
    boolean affords(int screens, long runs) {
        double last = Math.max(AsWritten.SECONDS, secondsOfARun - savedAtTheEnd);
        return spent() + screens * Math.max(Screening.SECONDS, secondsOfARun - saved) + runs * secondsOfARun + last
                <= limit;
    }

    /** Tells whether a last run of the whole protocol fits into what is left. */
    boolean affordsWhole() {
        return spent() + secondsOfARun <= limit;
    }

    /** Tells whether something is left. It is enough for the last run, for which all others left time. */
    boolean isLeft() {
        return spent() < limit;
    }

    /** Returns what a run takes, as the runs so far did. */
    double runSeconds() {
        return secondsOfARun;
    }

    /** Remembers what each run of a stage took. */
    void learn(double seconds) {
        secondsOfARun = Math.max(seconds, secondsOfARun / 2);
    }
}
