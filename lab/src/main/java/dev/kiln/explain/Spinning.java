package dev.kiln.explain;

import static dev.kiln.explain.Named.SPINNING;
import static dev.kiln.explain.Named.proof;

import dev.kiln.model.Finding;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Threads that give their CPU away again and again. The kernel counts a yield as an involuntary switch, so this looks like
 * preemption; but they get the CPU back at once.
 */
final class Spinning implements Cause {
    /** Carriers of virtual threads yield by design, thousands of times a second, without any harm. */
    private static final String CARRIERS = "ForkJoinPool-1";

    @Override
    public Finding judge(Situation s, Judged earlier) {
        boolean switches = s.evidence().threads().stream().anyMatch(t -> t.involuntarySwitches() > 0);
        if (!switches || s.tooShort()) {
            return SPINNING.notObservable(
                    "the threads' switches (/proc/PID/task/TID/status) were not recorded while load went");
        }
        Optional<Observed.ThreadGroup> spinner = s.observed().threads().stream()
                .filter(Spinning::spins)
                .max(Comparator.comparingDouble(Observed.ThreadGroup::cpuShare));
        if (spinner.isPresent()) {
            return SPINNING.held(
                    spinner.get().cpuShare() / Math.max(1, s.targetCpus().orElse(1)),
                    List.of(proof(text(spinner.get()), s.moment())),
                    Remedies.SPIN);
        }
        return s.observed().threads().stream()
                .filter(group -> !carriers(group))
                .max(Comparator.comparingDouble(Observed.ThreadGroup::involuntaryPerSecond))
                .map(group -> SPINNING.ruledOut(proof(text(group), s.moment())))
                .orElseGet(() -> SPINNING.ruledOut(proof("only carriers of virtual threads ran", s.moment())));
    }

    private static boolean carriers(Observed.ThreadGroup group) {
        return group.name().startsWith(CARRIERS);
    }

    private static boolean spins(Observed.ThreadGroup group) {
        double switches = perSecond(group);
        return !carriers(group)
                && group.cpuShare() >= Thresholds.SPINNING_CPU
                && switches > 0
                && group.cpuShare() / switches < Thresholds.YIELD_SLICE
                && group.waitShare() / switches < Thresholds.YIELD_WAIT;
    }

    private static double perSecond(Observed.ThreadGroup group) {
        return group.involuntaryPerSecond() * group.threads();
    }

    private static String text(Observed.ThreadGroup group) {
        double switches = perSecond(group);
        return String.format(
                Locale.ROOT,
                "%s: %,.0f involuntary switches a second%s",
                group.name(),
                switches,
                switches > 0
                        ? String.format(
                                Locale.ROOT,
                                ", one after %.3f ms of CPU and followed by %.3f ms of waiting",
                                1e3 * group.cpuShare() / switches,
                                1e3 * group.waitShare() / switches)
                        : "");
    }
}
