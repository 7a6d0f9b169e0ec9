package dev.kiln.jvm.flight;

import dev.kiln.jvm.flight.FlightStream.EventFields;
import dev.kiln.jvm.flight.FlightStream.FlightClock;
import dev.kiln.model.run.FlightDigest.FlightPause;
import dev.kiln.model.run.FlightDigest.HeapChange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;

/** A GcTally sums what a recording tells of the garbage collector: pauses, and the heap around each collection. */
final class GcTally {
    /** A cycle of G1 beside the program: other collections lie between its begin and its end. */
    private static final String CYCLE = "G1Old";

    private record RawPause(long start, long gc, long duration) {}

    private record CollectionKind(String name, String cause) {
        static final CollectionKind UNKNOWN = new CollectionKind("", "");
    }

    /** A RawHeap is the heap around a collection, as far as it was told. */
    private record RawHeap(OptionalLong start, long before, OptionalLong after) {
        static final RawHeap NOTHING = new RawHeap(OptionalLong.empty(), 0, OptionalLong.empty());

        Stream<HeapChange> change() {
            return start.isPresent() && after.isPresent()
                    ? Stream.of(new HeapChange(start.getAsLong(), before, after.getAsLong()))
                    : Stream.empty();
        }
    }

    private final FlightClock clock;
    private final List<RawPause> pauses = new ArrayList<>();
    private final List<RawPause> collections = new ArrayList<>();
    private final Map<Long, CollectionKind> kinds = new HashMap<>();
    private final Map<Long, RawHeap> heap = new HashMap<>();
    private long leftOut;

    /** The collector works beside the program, which allocates meanwhile: what is used tells nothing of how much. */
    private boolean beside;

    GcTally(FlightClock clock) {
        this.clock = clock;
    }

    void wire(FlightStream stream) {
        stream.on("jdk.GCPhasePause", event -> pause(event, pauses, "duration"));
        stream.on("jdk.GarbageCollection", this::collection);
        stream.on("jdk.GCConfiguration", this::collector);
        stream.on("jdk.GCHeapSummary", this::heapSummary);
    }

    private void collection(RecordedEvent event) {
        if (kinds.size() < EventFields.MOST_EVENTS) {
            kinds.put(
                    EventFields.number(event, "gcId"),
                    new CollectionKind(EventFields.text(event, "name"), EventFields.text(event, "cause")));
        }
        pause(event, collections, "sumOfPauses");
    }

    private void pause(RecordedEvent event, List<RawPause> to, String duration) {
        long start = FlightClock.nanos(event.getStartTime());
        if (!clock.holds(start)) {
            return;
        }
        if (to.size() == EventFields.MOST_EVENTS) {
            leftOut++;
            return;
        }
        long nanos = EventFields.nanos(event, duration);
        to.add(new RawPause(clock.since(start), EventFields.number(event, "gcId"), nanos));
    }

    private void collector(RecordedEvent event) {
        String old = EventFields.text(event, "oldCollector");
        beside |= old.startsWith("Z") || old.startsWith("Shenandoah");
    }

    private void heapSummary(RecordedEvent event) {
        long time = FlightClock.nanos(event.getStartTime());
        if (!clock.holds(time)) {
            return;
        }
        long gc = EventFields.number(event, "gcId");
        if (heap.size() == EventFields.MOST_EVENTS && !heap.containsKey(gc)) {
            leftOut++;
            return;
        }
        long used = EventFields.number(event, "heapUsed");
        boolean before = EventFields.text(event, "when").startsWith("Before");
        RawHeap known = heap.getOrDefault(gc, RawHeap.NOTHING);
        heap.put(
                gc,
                before
                        ? new RawHeap(OptionalLong.of(clock.since(time)), used, known.after)
                        : new RawHeap(known.start, known.before, OptionalLong.of(used)));
    }

    long leftOut() {
        return leftOut;
    }

    private CollectionKind kind(long gc) {
        return kinds.getOrDefault(gc, CollectionKind.UNKNOWN);
    }

    List<HeapChange> heap() {
        return beside
                ? List.of()
                : heap.entrySet().stream()
                        .filter(change -> !kind(change.getKey()).name().equals(CYCLE))
                        .flatMap(change -> change.getValue().change())
                        .sorted(Comparator.comparingLong(HeapChange::timeNanos))
                        .toList();
    }

    /** Returns the pauses. If none were recorded, there is one for each collection. */
    List<FlightPause> pauses() {
        return (pauses.isEmpty() ? collections : pauses)
                .stream()
                        .map(raw -> new FlightPause(
                                raw.start(),
                                kind(raw.gc()).cause(),
                                raw.duration(),
                                kind(raw.gc()).name()))
                        .sorted(Comparator.comparingLong(FlightPause::timeNanos))
                        .toList();
    }
}
