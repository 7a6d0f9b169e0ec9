package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.cause.Difference.Taken;
import dev.kiln.explain.window.Counter;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.Proof;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Sample.MemorySample;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** MemoryPressure is the cause that the target fills the memory it has: a limit of its variant, or the machine's. */
final class MemoryPressure {
    static final CauseId ID = new CauseId("memory-pressure", "memory pressure", Curve.MEMORY, CauseId.ANY);

    /** Memory is full from this share of it that is resident. */
    private static final double FULL = 0.9;

    /** The weight is a rank, no share: memory in use costs nothing before it runs out. */
    private static final double WEIGHT = 0.5;

    private static final List<FindingRemedy> REMEDIES = List.of(new FindingRemedy(
            "give it more memory, or a smaller heap",
            "the container's memory limit; -Xmx",
            "memory, or more collections",
            RemedyPlace.PLATFORM));

    private MemoryPressure() {}

    static Optional<Taken> takes(WindowEvidence s) {
        long available = available(s.evidence().info());
        OptionalLong most = s.within(s.evidence().memory(), MemorySample::timeNanos).stream()
                .mapToLong(MemorySample::rssBytes)
                .max();
        return most.isEmpty() || available <= 0
                ? Optional.empty()
                : Optional.of(Taken.share((double) most.getAsLong() / available, "of the memory"));
    }

    /** Returns the proof that pages came back from a disk; empty where that was not recorded, or hardly happened. */
    private static Optional<Proof> read(WindowEvidence s) {
        List<MemorySample> rows = s.evidence().memory().stream()
                .filter(row -> row.faults().isPresent())
                .toList();
        OptionalDouble rate = Counter.of(
                        rows,
                        MemorySample::timeNanos,
                        row -> row.faults().orElseThrow().major())
                .rateWhereKnown(s.window());
        return rate.stream()
                .map(perNano -> 1e9 * perNano)
                .filter(perSecond -> perSecond >= 1)
                .mapToObj(perSecond -> CauseId.proof(
                        String.format(Locale.ROOT, "%,.0f pages a second were read back from a disk", perSecond),
                        s.moment()))
                .findFirst();
    }

    private static long available(RunInfo info) {
        return info.treatment().limits().memoryBytes().orElse(info.host().memoryBytes());
    }

    static Finding judge(WindowEvidence s, Findings earlier) {
        OptionalLong most =
                s.evidence().memory().stream().mapToLong(MemorySample::rssBytes).max();
        RunInfo info = s.evidence().info();
        OptionalLong limit = info.treatment().limits().memoryBytes();
        long available = available(info);
        if (most.isEmpty() || available <= 0) {
            return ID.notObservable("resident memory, or the memory that is available, was not recorded");
        }
        double share = (double) most.getAsLong() / available;
        var proof = proof(String.format(
                Locale.ROOT,
                "at most %,d MiB resident, %.0f %% of %s's %,d MiB",
                most.getAsLong() >> 20,
                100 * share,
                limit.isPresent() && available != info.host().memoryBytes() ? "the limit" : "the machine",
                available >> 20));
        if (share >= FULL) {
            return ID.confirmed(
                    WEIGHT, Stream.concat(Stream.of(proof), read(s).stream()).toList(), REMEDIES);
        }
        if (info.startedByOthers() && limit.isEmpty()) {
            return ID.notObservable(proof.text() + "; whether the process has a limit of its own was not recorded");
        }
        return s.observed().maxRssBytes().isPresent()
                ? ID.ruledOut(proof)
                : ID.notObservable(proof.text() + ", but memory was not recorded up to the end of the run");
    }
}
