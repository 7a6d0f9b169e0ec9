package dev.kiln.explain;

import static dev.kiln.explain.Named.GENERATOR_LIMIT;
import static dev.kiln.explain.Named.proof;

import dev.kiln.model.Finding;
import dev.kiln.model.LoadBin;
import java.util.List;
import java.util.Locale;

/** Whether the load that was sent, and not the target, set the throughput. */
final class GeneratorLimit implements Cause {
    @Override
    public Finding judge(Situation s, Judged earlier) {
        List<LoadBin> bins = s.within(s.evidence().load(), LoadBin::startNanos);
        boolean lagRecorded = bins.stream().anyMatch(bin -> bin.lagNanos() > 0);
        var busy = s.observed().labBusy();
        if (busy.isEmpty() && !lagRecorded) {
            return GENERATOR_LIMIT.notObservable("neither the generator's lag nor its CPUs were recorded:"
                    + " kiln run records both, imported load has neither");
        }
        double stalled = stalledShare(s, bins);
        double load = LabLoad.generator(s);
        String text = String.format(
                Locale.ROOT,
                "the generator was at most %.0f ms late%s%s",
                bins.stream().mapToLong(LoadBin::lagNanos).max().orElse(0) / 1e6,
                stalled > 0
                        ? String.format(
                                Locale.ROOT,
                                ", over %d ms in %.0f %% of the seconds",
                                Validity.MAX_LAG_NANOS / 1_000_000,
                                100 * stalled)
                        : "",
                busy.isPresent()
                        ? String.format(
                                Locale.ROOT,
                                "; it used %.0f %% of a CPU, and the busiest CPU of load and database was %.0f %% busy",
                                100 * load,
                                100 * busy.getAsDouble())
                        : "");
        boolean saturated = LabLoad.saturated(s) && load >= LabLoad.database(s);
        return saturated || stalled > Thresholds.STALLED
                ? GENERATOR_LIMIT.held(saturated ? 0.97 : 0.5, List.of(proof(text, s.moment())), Remedies.GENERATOR)
                : GENERATOR_LIMIT.ruledOut(proof(text, s.moment()));
    }

    private static double stalledShare(Situation s, List<LoadBin> bins) {
        long seconds = bins.stream()
                .filter(bin -> bin.lagNanos() > Validity.MAX_LAG_NANOS)
                .mapToLong(bin -> (bin.startNanos() - s.zeroNanos()) / 1_000_000_000L)
                .distinct()
                .count();
        return s.seconds() > 0 ? seconds / s.seconds() : 0;
    }
}
