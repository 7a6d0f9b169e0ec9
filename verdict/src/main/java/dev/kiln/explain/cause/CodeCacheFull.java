package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.budget.BudgetPart;
import dev.kiln.explain.cause.CauseId.Role;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.Moment;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.Sample.JitSample;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** CodeCacheFull is the cause that a code cache has no room: HotSpot stops compiling, or throws code away to go on. */
final class CodeCacheFull {
    static final CauseId ID = new CauseId(
                    "code-cache-full", "code cache full", Curve.CODE_CACHE, CauseId.ANY, Role.STOPS_COMPILERS)
            .taking(BudgetPart.RUNNING, BudgetPart.CPU_WAIT);

    /**
     * A code cache is full from this share in use: HotSpot begins to flush cold code when less than a tenth is free.
     */
    private static final double CODE_CACHE_USED = 0.95;

    /** This is HotSpot's own limit, unless it runs without tiers. */
    private static final long USUAL_BYTES = 240L << 20;

    /** HotSpot accepts no larger code cache. */
    private static final long MOST_BYTES = 2048L << 20;

    /** The weight is a rank, no share: without room nothing is compiled any more. */
    private static final double WEIGHT = 0.9;

    private CodeCacheFull() {}

    static Finding judge(WindowEvidence s, Findings earlier) {
        List<FlightDigest.CodeCacheEvent> events =
                s.evidence().flight().map(FlightDigest::codeCache).orElse(List.of());
        if (!events.isEmpty()) {
            double at = s.second(events.getFirst().timeNanos());
            return confirmed(
                    s,
                    events.size() + " events of the code cache, the first: "
                            + events.getFirst().what(),
                    new Moment(at, s.second(events.getLast().timeNanos())));
        }
        List<JitSample> asked = s.evidence().jit().stream()
                .filter(sample -> sample.codeCache().isPresent())
                .toList();
        if (!asked.isEmpty()) {
            return byUse(s, asked);
        }
        Optional<FlightDigest> flight = s.evidence().flight();
        return flight.isPresent()
                ? ID.ruledOut(proof("no event of the code cache in the flight recording"))
                : ID.notObservable("the code cache was not recorded: that takes the JVM's attach socket (the same"
                        + " user or root, no -XX:+DisableAttachMechanism) or a flight recording");
    }

    private static Finding byUse(WindowEvidence s, List<JitSample> asked) {
        JitSample last = asked.getLast();
        JitSample.CodeCacheFill cache = last.codeCache().orElseThrow();
        double share = cache.sizeBytes() > 0 ? (double) cache.usedBytes() / cache.sizeBytes() : 0;
        String text = String.format(
                Locale.ROOT,
                "%.1f of %.1f MiB in use (%.0f %%); found full %d times, compilation stopped %d times",
                cache.usedBytes() / 1048576.0,
                cache.sizeBytes() / 1048576.0,
                100 * share,
                cache.full(),
                cache.stopped());
        boolean full = cache.full() > 0 || cache.stopped() > 0 || share >= CODE_CACHE_USED;
        long since = asked.stream()
                .filter(sample -> sample.codeCache().stream().anyMatch(c -> c.full() > 0 || c.stopped() > 0))
                .mapToLong(JitSample::timeNanos)
                .findFirst()
                .orElse(last.timeNanos());
        if (!full && s.second(last.timeNanos()) < s.second(s.window().toNanos()) - s.seconds() / 2) {
            return ID.notObservable(text + ", but that was told before the end of the load");
        }
        return full
                ? confirmed(s, text, new Moment(s.second(since), s.second(last.timeNanos())))
                : ID.ruledOut(proof(text));
    }

    private static Finding confirmed(WindowEvidence s, String text, Moment when) {
        long size = s.evidence().jit().stream()
                .flatMap(sample -> sample.codeCache().stream())
                .mapToLong(JitSample.CodeCacheFill::sizeBytes)
                .max()
                .orElse(USUAL_BYTES);
        String flag = "-XX:ReservedCodeCacheSize=" + (Math.min(MOST_BYTES, 2 * size) >> 20) + "m";
        FindingRemedy larger = new FindingRemedy(
                        "make the code cache larger",
                        flag,
                        "address space; memory only for the code that was compiled",
                        RemedyPlace.LAUNCH_FLAG)
                .tried(Change.flags(flag));
        return ID.confirmed(WEIGHT, List.of(proof(text, when)), List.of(larger));
    }
}
