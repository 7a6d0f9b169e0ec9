package dev.kiln.jvm.flight;

import dev.kiln.jvm.flight.FlightStream.FlightClock;
import dev.kiln.model.run.CodeFamily;
import dev.kiln.model.run.CodeFrame;
import dev.kiln.model.run.FlightDigest.FamilySamples;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;

/** A FamilyTally counts samples by the family of their code, and by the frame that called it. */
final class FamilyTally {
    /** The digest names so many places, those with most samples. */
    private static final int MOST_PLACES = 50;

    private record Place(CodeFamily family, String frame) {}

    private record SecondAndPlace(long second, Place place) {}

    private final IdentityHashMap<RecordedStackTrace, Place> known = new IdentityHashMap<>();
    private final Map<SecondAndPlace, Integer> samples = new HashMap<>();

    /** Forgets the stack traces: they are the same objects only within a chunk. */
    void chunkEnded() {
        known.clear();
    }

    void add(RecordedStackTrace trace, long second) {
        Place place = known.computeIfAbsent(trace, FamilyTally::place);
        samples.merge(new SecondAndPlace(second, place), 1, Integer::sum);
    }

    private static Place place(RecordedStackTrace trace) {
        List<CodeFrame> frames =
                trace.getFrames().stream().map(FamilyTally::frame).toList();
        CodeFamily family = CodeFamily.of(frames);
        return new Place(
                family,
                frames.stream()
                        .filter(frame -> family.hasPurpose() && frame.isJava() && !frame.isJdk())
                        .findFirst()
                        .map(frame -> StackSamples.plain(frame.toString()))
                        .orElse(""));
    }

    /** A profiler's frames of native code have no type, or the name of a library. */
    private static CodeFrame frame(RecordedFrame frame) {
        RecordedMethod method = frame.getMethod();
        if (method == null) {
            return new CodeFrame("", "");
        }
        boolean java = method.getType() != null && frame.isJavaFrame();
        return new CodeFrame(java ? method.getType().getName() : "", method.getName());
    }

    List<FamilySamples> rows() {
        Map<Place, Integer> all = new HashMap<>();
        samples.forEach((key, count) -> all.merge(key.place(), count, Integer::sum));
        Set<Place> most = all.entrySet().stream()
                .sorted(Map.Entry.<Place, Integer>comparingByValue()
                        .reversed()
                        .thenComparing(place -> place.getKey().frame()))
                .limit(MOST_PLACES)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        Map<SecondAndPlace, Integer> kept = new HashMap<>();
        samples.forEach((key, count) -> kept.merge(
                most.contains(key.place())
                        ? key
                        : new SecondAndPlace(key.second(), new Place(key.place().family(), "")),
                count,
                Integer::sum));
        return kept.entrySet().stream()
                .map(row -> new FamilySamples(
                        FlightClock.row(row.getKey().second()),
                        Optional.of(row.getKey().place().family()),
                        row.getKey().place().frame(),
                        row.getValue()))
                .sorted(Comparator.comparingLong(FamilySamples::timeNanos)
                        .thenComparing(row -> row.family().map(CodeFamily::id).orElse(""))
                        .thenComparing(FamilySamples::frame))
                .toList();
    }
}
