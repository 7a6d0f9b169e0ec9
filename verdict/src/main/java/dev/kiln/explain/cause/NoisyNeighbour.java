package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.cause.Difference.Taken;
import dev.kiln.explain.window.Thresholds;
import dev.kiln.explain.window.Window;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.explain.window.WindowStatistics;
import dev.kiln.explain.window.WindowStatisticsBuilder;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.Effect;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.Sample.CpuSample;
import dev.kiln.stats.Interference;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * NoisyNeighbour is the cause that something outside the lab uses CPU of the target: the hypervisor's other guests, or
 * other programs on the target's CPUs. It explains something only if throughput was lower in the seconds in which they
 * did.
 */
final class NoisyNeighbour {
    static final CauseId ID = new CauseId(
                    "noisy-neighbour", "a noisy neighbour takes CPU", Curve.THROUGHPUT, CauseId.ANY)
            .taking(BudgetPart.CPU_WAIT);

    private static final String POSSIBLE = "possible interference: others take CPU from the target";

    private static final long SECOND = 1_000_000_000L;

    private static final List<FindingRemedy> REMEDIES = List.of(new FindingRemedy(
            "measure where nothing else runs", "a dedicated host, isolated CPUs", "a machine", RemedyPlace.PLATFORM));

    private NoisyNeighbour() {}

    static Finding judge(WindowEvidence s, Findings earlier) {
        WindowStatistics seen = s.observed();
        if (seen.stealShare().isEmpty()) {
            return ID.notObservable(
                    "the CPUs' own counters (/proc/stat) were not recorded during the load: kiln run records them");
        }
        double steal = seen.stealShare().getAsDouble();
        double foreign = seen.lab().targetForeign().orElse(0);
        String text = String.format(Locale.ROOT, "the hypervisor took %.1f %% of the target's CPUs", 100 * steal)
                + (seen.lab().targetForeign().isEmpty()
                        ? ""
                        : String.format(Locale.ROOT, ", other programs %.1f %% of a CPU there", 100 * foreign));
        if (steal < Thresholds.STEAL && !seen.lab().targetDisturbed()) {
            return ID.ruledOut(proof(text, s.moment()));
        }
        Optional<Interference> difference = difference(s);
        boolean fell = difference.filter(Interference::fell).isPresent();
        Set<Effect> explains = fell ? ID.can() : Set.of();
        return ID.confirmed(
                fell ? ID.title() : POSSIBLE,
                explains,
                Math.max(steal, foreign / s.targetCpus().orElse(1)),
                List.of(proof(text, s.moment()), proof(words(difference), s.moment())),
                REMEDIES);
    }

    static Optional<Taken> takes(WindowEvidence s) {
        WindowStatistics seen = s.observed();
        return seen.stealShare().isEmpty()
                ? Optional.empty()
                : Optional.of(Taken.share(
                        Math.max(
                                seen.stealShare().getAsDouble(),
                                seen.lab().targetForeign().orElse(0)
                                        / s.targetCpus().orElse(1)),
                        "of the target's CPUs"));
    }

    private static String words(Optional<Interference> difference) {
        return difference
                .map(d -> String.format(
                        Locale.ROOT,
                        "throughput differed by %.1f %% (95 %%: %.1f to %.1f) between the %d seconds in which"
                                + " others took CPU and the other %d seconds%s",
                        100 * d.difference(),
                        100 * d.lo(),
                        100 * d.hi(),
                        d.marked(),
                        d.unmarked(),
                        d.fell() ? "" : ": a fall is not shown"))
                .orElse("Kiln cannot tell whether throughput fell with it: fewer than 3 seconds with it, or"
                        + " without it");
    }

    /** Compares throughput second by second over the window; empty where load came in bins longer than a second. */
    private static Optional<Interference> difference(WindowEvidence s) {
        int seconds = (int) s.seconds();
        double[] throughput = new double[seconds];
        List<LoadBin> bins = s.within(s.evidence().load(), LoadBin::startNanos);
        if (bins.stream().anyMatch(bin -> bin.endNanos() - bin.startNanos() > SECOND)) {
            return Optional.empty();
        }
        for (LoadBin bin : bins) {
            int second = (int) ((bin.startNanos() - s.window().fromNanos()) / SECOND);
            if (second < seconds) {
                throughput[second] += bin.completed();
            }
        }
        return Interference.of(throughput, taken(s, seconds));
    }

    private static boolean[] taken(WindowEvidence s, int seconds) {
        List<NavigableMap<Long, Long>> steal = counters(s, CpuSample::stealNanos);
        List<NavigableMap<Long, Long>> busy =
                s.observed().lab().targetForeign().isPresent() ? counters(s, CpuSample::programNanos) : List.of();
        NavigableMap<Long, Long> own = new TreeMap<>();
        s.evidence().parts().stream()
                .filter(part -> part.part().equals("target"))
                .forEach(part -> own.put(part.timeNanos(), part.cpuNanos()));
        boolean[] taken = new boolean[seconds];
        for (int i = 0; i < seconds; i++) {
            long from = s.window().fromNanos() + i * SECOND;
            Window second = new Window(from, from + SECOND);
            taken[i] = sum(second, steal) >= Thresholds.STEAL * steal.size()
                    || (!busy.isEmpty() && sum(second, busy) - second.growth(own) >= Thresholds.FOREIGN);
        }
        return taken;
    }

    private static List<NavigableMap<Long, Long>> counters(WindowEvidence s, ToLongFunction<CpuSample> nanos) {
        return WindowStatisticsBuilder.targetCpus(s.evidence()).stream()
                .map(cpu -> WindowStatisticsBuilder.counter(s.evidence(), cpu, nanos))
                .toList();
    }

    private static double sum(Window second, List<NavigableMap<Long, Long>> counters) {
        return counters.stream().mapToDouble(second::growth).sum();
    }
}
