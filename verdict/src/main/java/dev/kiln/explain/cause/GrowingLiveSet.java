package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.window.LiveSet;
import dev.kiln.explain.window.LiveSet.LiveTrend;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Finding.Proof;
import dev.kiln.model.run.Finding.RemedyPlace;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * GrowingLiveSet is the cause that a heap is full of what requests leave behind: a larger one is full later. A heap whose live
 * objects are level is too small, which {@link HeapCauses} says.
 */
final class GrowingLiveSet {
    static final CauseId ID = new CauseId(
                    "growing-live-set", "the heap fills with objects that stay live", Curve.STOPS, CauseId.ANY)
            .taking(BudgetPart.COLLECTION);

    /** Kiln cannot try it: it takes a change of the code, or of what limits a cache or a session. */
    static final FindingRemedy FIND_THE_HOLDER = new FindingRemedy(
            "find what holds the objects, and let go of them",
            "jcmd PID GC.class_histogram twice, minutes apart: the classes whose count grows; jcmd PID GC.heap_dump FILE: what"
                    + " holds them, such as a cache without a bound or sessions without an end",
            "a full collection for each; a heap dump is as large as what is live",
            RemedyPlace.LIVE_PROCESS);

    private static final String UNKNOWN = "whether what is live grows is not known: ";

    /** A heap that takes longer to fill is collected before, as a rule. A choice. */
    private static final double MINUTES_AHEAD = 60;

    private static final double MIB = 1 << 20;

    private GrowingLiveSet() {}

    static Finding judge(WindowEvidence s, Findings earlier) {
        Optional<FullHeap> full = FullHeap.of(s);
        Optional<LiveSet> live = LiveSet.of(s);
        if (full.isEmpty()) {
            Finding none = FullHeap.none(ID, s);
            return none.state() == FindingState.RULED_OUT
                    ? live.map(seen -> withRoom(s, seen, none)).orElse(none)
                    : none;
        }
        if (live.isEmpty()) {
            return ID.notObservable(
                    UNKNOWN + "what collections leave in the heap was not recorded; of Serial, Parallel and G1"
                            + " the JVM's hsperfdata file has it, and a flight recording");
        }
        Optional<LiveTrend> risen = live.get().risen().filter(LiveTrend::rises);
        if (risen.isPresent()) {
            List<Proof> proofs = new ArrayList<>(full.get().proofs());
            proofs.add(proof(grew(live.get(), risen.get())));
            return ID.confirmed(full.get().weight(), proofs, List.of(FIND_THE_HOLDER));
        }
        return live.get()
                .level()
                .map(level -> level.stays()
                        ? ID.ruledOut(proof(String.format(
                                Locale.ROOT,
                                "what is live is level: full collections left %s, which changed by %s MiB%s",
                                mebibytes(live.get().lastBytes()),
                                range(level, MIB),
                                when(live.get()))))
                        : ID.notObservable(UNKNOWN + "what full collections left may have changed by "
                                + range(level, MIB) + " MiB" + when(live.get())))
                .orElseGet(() -> ID.notObservable(UNKNOWN + tooFew(live.get())));
    }

    /** Says of a heap that had room that it fills, or that live objects grow in it. */
    private static Finding withRoom(WindowEvidence s, LiveSet live, Finding none) {
        Optional<LiveTrend> risen = live.risen().filter(LiveTrend::rises);
        if (risen.isPresent()) {
            List<Proof> proofs = new ArrayList<>();
            proofs.add(proof(grew(live, risen.get()) + "; it has held nothing back yet"));
            proofs.addAll(none.evidence());
            return ID.ruledOut(proofs.toArray(Proof[]::new));
        }
        return fills(s, live).map(ID::notObservable).orElse(none);
    }

    /**
     * Returns in words how fast a heap fills that would be full within an hour: what has held nothing back yet may do so then. It is
     * empty where the heap does not fill so, or where its size is not known.
     */
    private static Optional<String> fills(WindowEvidence s, LiveSet live) {
        OptionalLong size =
                s.evidence().info().jvm().map(jvm -> jvm.bytes("MaxHeapSize")).orElse(OptionalLong.empty());
        Optional<LiveTrend> filled = live.filled().filter(LiveTrend::rises);
        if (size.isEmpty() || filled.isEmpty() || live.seconds() <= 0) {
            return Optional.empty();
        }
        double minutes = live.seconds() / 60;
        double slowest = filled.get().leastBytes() / minutes;
        double free = size.getAsLong() - filled.get().levelBytes();
        return slowest * MINUTES_AHEAD < free
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "the heap filled by %s MiB a minute (95 %%: %s)%s, and had room: of %s; %s",
                        figure(filled.get().bytes() / MIB / minutes),
                        range(filled.get(), MIB * minutes),
                        live.requests().isPresent() ? " over the second half of the requests" : "",
                        mebibytes(size.getAsLong()),
                        live.full() >= LiveSet.LEAST_FULL
                                ? "by what full collections left, live objects may grow as fast or not at all"
                                : "only full collections show how much of it is live: " + live.full() + " seen, of the "
                                        + LiveSet.LEAST_FULL + " that it takes"));
    }

    private static String tooFew(LiveSet live) {
        if (live.capped()) {
            return "full collections left " + mebibytes(live.lastBytes())
                    + ", as much as the old generation holds, and what else is live stays in the young one";
        }
        return live.full() < LiveSet.LEAST_FULL
                ? live.full() + (live.full() == 1 ? " full collection was" : " full collections were")
                        + " seen, and it takes " + LiveSet.LEAST_FULL
                        + " to tell live objects from garbage (Serial, Parallel and G1 count them)"
                : "full collections were seen in too little of the time, other collections left less than they did, or what an"
                        + " old generation holds was not recorded"
                        + live.risen()
                                .map(line -> "; it may have grown by " + range(line, MIB) + " MiB, or by more")
                                .orElse("")
                        + when(live);
    }

    private static String grew(LiveSet live, LiveTrend by) {
        double minutes = live.seconds() / 60;
        String perMinute = String.format(
                Locale.ROOT,
                "%s MiB a minute (95 %%: %s)",
                figure(by.bytes() / MIB / minutes),
                range(by, MIB * minutes));
        String each = live.requests().isEmpty()
                ? ""
                : String.format(
                        Locale.ROOT,
                        ", %s bytes for each request",
                        figure(by.bytes() / live.requests().getAsDouble()));
        return "what is live grew by " + perMinute + each + when(live) + ", up to " + mebibytes(live.lastBytes())
                + " that full collections left";
    }

    private static String when(LiveSet live) {
        return (live.requests().isPresent() ? " over the second half of the requests" : "")
                + (live.capped() ? ", until the old generation was full" : "");
    }

    private static String mebibytes(double bytes) {
        return figure(bytes / MIB) + " MiB";
    }

    /** Returns the interval of a change, in another unit. */
    private static String range(LiveTrend change, double unit) {
        return figure(change.leastBytes() / unit) + " to " + figure(change.mostBytes() / unit);
    }

    private static String figure(double value) {
        double size = Math.abs(value);
        return String.format(Locale.ROOT, size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f", value);
    }
}
