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

    /** Returns how many pages came back from a disk in a second; empty where that was not recorded. */
    private static OptionalDouble readPerSecond(WindowEvidence s) {
        List<MemorySample> rows = s.evidence().memory().stream()
                .filter(row -> row.faults().isPresent())
                .toList();
        return Counter.of(
                        rows,
                        MemorySample::timeNanos,
                        row -> row.faults().orElseThrow().major())
                .rateWhereKnown(s.window())
                .stream()
                .map(perNano -> 1e9 * perNano)
                .findFirst();
    }

    /** Confirms that memory is full. It slows requests down only where pages that they need went to a disk. */
    private static Finding confirmed(WindowEvidence s, Proof full) {
        OptionalDouble read = readPerSecond(s);
        boolean slows = read.orElse(0) >= 1;
        String pages = read.isEmpty()
                ? "whether pages were read back from a disk was not recorded, so what it did is not known"
                : slows
                        ? String.format(
                                Locale.ROOT, "%,.0f pages a second were read back from a disk", read.getAsDouble())
                        : few(read.getAsDouble());
        return ID.confirmed(
                ID.title(), slows ? ID.can() : CauseId.NONE, WEIGHT, List.of(full, proof(pages, s.moment())), REMEDIES);
    }

    private static String few(double read) {
        return read > 0
                ? String.format(Locale.ROOT, "%.2g pages a second were read back from a disk, too few to count", read)
                : "no pages were read back from a disk, so it held nothing back";
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
            return confirmed(s, proof);
        }
        if (info.startedByOthers() && limit.isEmpty()) {
            return ID.notObservable(proof.text() + "; whether the process has a limit of its own was not recorded");
        }
        return s.observed().maxRssBytes().isPresent()
                ? ID.ruledOut(proof)
                : ID.notObservable(proof.text() + ", but memory was not recorded up to the end of the run");
    }
}
