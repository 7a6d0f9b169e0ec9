package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.cause.CauseId.Role;
import dev.kiln.explain.window.Thresholds;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.explain.window.WindowStatistics;
import dev.kiln.explain.window.WindowStatistics.PartUse;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.Machine.LoadHost;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** GeneratorLimit is the cause that the load that was sent, and not the target, set the throughput. */
final class GeneratorLimit {
    static final CauseId ID = new CauseId(
            "generator-limit", "the load generator is the limit", Curve.THROUGHPUT, CauseId.ANY, Role.NEEDS_LOAD);

    /** A generator that stalled in more than this share of the seconds is the limit; above it a run is invalid too. */
    private static final double STALLED_SECONDS = 0.02;

    private static final List<FindingRemedy> REMEDIES = List.of(
            new FindingRemedy(
                    "give the load generator more CPUs", "--cpus target=0-3,load=4-7", "CPUs", RemedyPlace.PLATFORM),
            new FindingRemedy("drive the load from another machine", "", "a second machine", RemedyPlace.PLATFORM));

    /**
     * If load and database, or backend, share CPUs, the one that used more of them filled them. This weight is a rank, not
     * a share.
     */
    private static final double WEIGHT_SATURATED = 0.97;

    private static final double WEIGHT_STALLED = 0.5;

    private GeneratorLimit() {}

    static Finding judge(WindowEvidence s, Findings earlier) {
        List<LoadBin> bins = s.within(s.evidence().load(), LoadBin::startNanos);
        WindowStatistics seen = s.observed();
        boolean full = seen.lab().generator().saturated()
                || (s.labSaturated()
                        && s.cpuOf("load")
                                >= Math.max(
                                        0.01, s.behind().map(PartUse::cpuShare).orElse(0.0)));
        double stalled = stalledShare(s, bins);
        String text = text(seen, bins, stalled);
        if (full || stalled > STALLED_SECONDS) {
            return ID.confirmed(full ? WEIGHT_SATURATED : WEIGHT_STALLED, List.of(proof(text, s.moment())), REMEDIES);
        }
        Optional<LoadHost> elsewhere = s.evidence().info().loadFrom();
        if (seen.lab().generator().share().isEmpty()) {
            return ID.notObservable(
                    elsewhere.isPresent()
                            ? text + ": its CPU time did not come from "
                                    + elsewhere.get().name()
                            : seen.lab().steal().orElse(0) >= Thresholds.STEAL
                                    ? text + ": the hypervisor took CPU from it in every second"
                                    : "the load generator's CPU time was not recorded: kiln run records it for a"
                                            + " generator on this machine; imported load has none");
        }
        if (elsewhere.isPresent()) {
            return ID.notObservable(text + ": it ran elsewhere ("
                    + elsewhere.get().name() + "), and what other programs took of the CPUs there is not known");
        }
        return s.evidence().info().cpus().pinned()
                ? ID.ruledOut(proof(text, s.moment()))
                : ID.notObservable(text + ": it was not pinned to CPUs of its own, so what other programs took of"
                        + " them is not known");
    }

    private static String text(WindowStatistics seen, List<LoadBin> bins, double stalled) {
        return String.format(
                Locale.ROOT,
                "the generator was at most %.0f ms late%s%s%s%s",
                bins.stream().mapToLong(LoadBin::lagNanos).max().orElse(0) / 1e6,
                percent(", over " + Thresholds.LATE_NANOS / 1_000_000 + " ms in %.0f %% of the seconds", stalled),
                seen.lab().generator().share().orElse(0) > 0
                        ? "; " + seen.lab().generator().words()
                        : "",
                percent(
                        ", and the busiest CPU of load and database was %.0f %% busy",
                        seen.labBusy().orElse(0)),
                percent(
                        ", after the hypervisor took %.0f %% of one",
                        seen.lab().steal().orElse(0)));
    }

    private static String percent(String format, double share) {
        return share > 0 ? String.format(Locale.ROOT, format, 100 * share) : "";
    }

    private static double stalledShare(WindowEvidence s, List<LoadBin> bins) {
        long seconds = bins.stream()
                .filter(bin -> bin.lagNanos() > Thresholds.LATE_NANOS)
                .mapToLong(bin -> (bin.startNanos() - s.zeroNanos()) / 1_000_000_000L)
                .distinct()
                .count();
        return s.seconds() > 0 ? seconds / s.seconds() : 0;
    }
}
