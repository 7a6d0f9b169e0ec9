package dev.kiln.explain.window;

import dev.kiln.explain.window.WindowStatistics.Collections;
import dev.kiln.explain.window.WindowStatistics.FullOnes;
import dev.kiln.explain.window.WindowStatistics.Purpose;
import dev.kiln.model.run.CollectionCause;
import dev.kiln.model.run.FlightDigest.FlightPause;
import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.CollectionSample;
import dev.kiln.model.run.Sample.FullCollections;
import dev.kiln.model.run.Sample.Generations;
import dev.kiln.model.run.Sample.MemorySample;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A CollectionWindow digests a window's collections: of the JVM's counters, else of a flight recording. */
record CollectionWindow(RunEvidence evidence, Window window) {
    /** A Collected is some collections with one cause; full are those of the whole heap, where they are counted apart. */
    private record Collected(CollectionCause cause, double count, long nanos, Optional<FullCollections> full) {}

    Optional<Collections> statistics() {
        List<MemorySample> samples = window.of(evidence.memory(), MemorySample::timeNanos);
        boolean counted = evidence.memory().stream().anyMatch(sample -> sample.safepoints() > 0)
                // Others, and flight recordings, count compilations without collections.
                || (evidence.info().provenance().isEmpty()
                        && evidence.flight().isEmpty()
                        && !evidence.compiler().isEmpty());
        if (counted && samples.size() >= 2) {
            MemorySample first = samples.getFirst();
            MemorySample last = samples.getLast();
            Collections all = byCounters(first, last);
            if (evidence.info().jvm().filter(JvmInfo::collectsBeside).isEmpty()) {
                return Optional.of(all);
            }
            if (last.safepoints() > 0) {
                return Optional.of(within(all, stood(first, last)));
            }
            // How long the program stood was not recorded, and no JVM is without a safepoint.
        }
        return evidence.flight().isEmpty() || window.seconds() < Thresholds.WINDOW_SECONDS
                ? Optional.empty()
                : Optional.of(byPauses(pauses()));
    }

    private static double stood(MemorySample a, MemorySample b) {
        return (double) (b.safepointNanos() - a.safepointNanos()) / (b.timeNanos() - a.timeNanos());
    }

    /** Returns collections that took at most a share of the time: a collector that works beside the program counts that work too. */
    private static Collections within(Collections all, double most) {
        double part = all.share() > most ? most / all.share() : 1;
        return new Collections(
                all.share() * part,
                all.perSecond(),
                all.full().map(full -> new FullOnes(full.share() * part, full.perSecond())),
                all.purposes().stream()
                        .map(purpose -> new Purpose(
                                purpose.cause(),
                                purpose.share() * part,
                                purpose.perSecond(),
                                purpose.full().map(full -> new FullOnes(full.share() * part, full.perSecond()))))
                        .toList());
    }

    private Collections byCounters(MemorySample a, MemorySample b) {
        double seconds = (b.timeNanos() - a.timeNanos()) / 1e9;
        Optional<Generations> generations =
                b.generations().flatMap(to -> a.generations().map(to::since));
        // A row has what came since the row before.
        List<CollectionSample> seen = evidence.collections().stream()
                .filter(row -> row.timeNanos() > a.timeNanos() && row.timeNanos() <= b.timeNanos())
                .toList();
        return new Collections(
                (b.collectionNanos() - a.collectionNanos()) / 1e9 / seconds,
                (b.collections() - a.collections()) / seconds,
                generations.map(of -> new FullOnes(of.fullNanos() / 1e9 / seconds, of.full() / seconds)),
                evidence.collections().isEmpty()
                        ? purposes(pauses().stream().map(CollectionWindow::collected), window.seconds())
                        : purposes(
                                seen.stream()
                                        .map(row -> new Collected(
                                                CollectionCause.of(row.cause()),
                                                row.collections(),
                                                row.collectionNanos(),
                                                row.full())),
                                seconds));
    }

    private Collections byPauses(List<FlightPause> pauses) {
        List<FlightPause> full = pauses.stream().filter(FlightPause::full).toList();
        return new Collections(
                nanos(pauses) / 1e9 / window.seconds(),
                pauses.size() / window.seconds(),
                pauses.stream().anyMatch(FlightPause::tellsFull)
                        ? Optional.of(
                                new FullOnes(nanos(full) / 1e9 / window.seconds(), full.size() / window.seconds()))
                        : Optional.empty(),
                purposes(pauses.stream().map(CollectionWindow::collected), window.seconds()));
    }

    private List<FlightPause> pauses() {
        return evidence.flight().stream()
                .flatMap(flight -> window.of(flight.collector().pauses(), FlightPause::timeNanos).stream())
                .toList();
    }

    private static long nanos(List<FlightPause> pauses) {
        return pauses.stream().mapToLong(FlightPause::durationNanos).sum();
    }

    private static Collected collected(FlightPause pause) {
        return new Collected(
                CollectionCause.of(pause.cause()),
                1,
                pause.durationNanos(),
                Optional.of(pause)
                        .filter(FlightPause::tellsFull)
                        .map(told -> told.full()
                                ? new FullCollections(1, told.durationNanos())
                                : new FullCollections(0, 0)));
    }

    private static Optional<FullOnes> full(List<Collected> collected, double seconds) {
        return collected.stream().anyMatch(some -> some.full().isEmpty())
                ? Optional.empty()
                : Optional.of(new FullOnes(
                        collected.stream()
                                        .flatMap(some -> some.full().stream())
                                        .mapToLong(FullCollections::nanos)
                                        .sum()
                                / 1e9
                                / seconds,
                        collected.stream()
                                        .flatMap(some -> some.full().stream())
                                        .mapToLong(FullCollections::collections)
                                        .sum()
                                / seconds));
    }

    private static List<Purpose> purposes(Stream<Collected> collected, double seconds) {
        Map<CollectionCause, List<Collected>> byCause = collected.collect(Collectors.groupingBy(Collected::cause));
        return byCause.entrySet().stream()
                .map(same -> new Purpose(
                        same.getKey(),
                        same.getValue().stream().mapToLong(Collected::nanos).sum() / 1e9 / seconds,
                        same.getValue().stream().mapToDouble(Collected::count).sum() / seconds,
                        full(same.getValue(), seconds)))
                .sorted(Comparator.comparingDouble(Purpose::share).reversed().thenComparing(Purpose::cause))
                .toList();
    }
}
