package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.window.Window;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.WaitKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A FirstInitialisation is a class whose initialisation the first requests waited for. It is over long before the end of the
 * load, so it explains no level there: it is what the service began with.
 *
 * @param last the last of the first thread dumps that found so many threads waiting for it
 */
record FirstInitialisation(Waiting last) {
    private static final String TITLE = "the first requests waited for the initialisation of a class";

    /** All wait for it if at least this share of the requests that can be in flight does. */
    private static final double MOST = 0.5;

    /** Any service initialises classes for its first requests: it takes so long that two dumps this far apart find it. */
    private static final double LEAST_SECONDS = 1;

    /**
     * A Waiting is what one thread dump found of a class.
     *
     * @param row where most of them waited
     * @param threads all that waited for this class
     */
    record Waiting(BlockedSample row, int threads) {}

    /** Returns the finding on waits for classes at the end of the load, or what the first dumps of it found. */
    static Finding before(WaitCause wait, Finding atEnd, WindowEvidence s) {
        return atEnd.state() == FindingState.CONFIRMED
                ? atEnd
                : of(s).map(first -> first.confirmed(wait, s)).orElse(atEnd);
    }

    private static Optional<FirstInitialisation> of(WindowEvidence s) {
        Window load = new Window(s.zeroNanos(), s.window().toNanos());
        double most = MOST * s.evidence().info().load().inFlight();
        List<Waiting> waited = new ArrayList<>();
        load.of(s.evidence().blocked(), BlockedSample::timeNanos).stream()
                .collect(Collectors.groupingBy(BlockedSample::timeNanos))
                .entrySet()
                .stream()
                .sorted(Map.Entry.comparingByKey())
                .map(dump -> most(dump.getValue()).filter(found -> found.threads() >= most))
                .takeWhile(found -> found.isPresent()
                        && (waited.isEmpty()
                                || className(found.get().row())
                                        .equals(className(waited.getFirst().row()))))
                .forEach(found -> waited.add(found.orElseThrow()));
        boolean lasted = waited.size() > 1
                && waited.getLast().row().timeNanos() - waited.getFirst().row().timeNanos() >= LEAST_SECONDS * 1e9;
        return lasted ? Optional.of(new FirstInitialisation(waited.getLast())) : Optional.empty();
    }

    /** Returns the class for which most threads of a dump wait. */
    private static Optional<Waiting> most(List<BlockedSample> dump) {
        return dump.stream()
                .filter(row -> row.kind() == WaitKind.CLASS_INIT)
                .collect(Collectors.groupingBy(FirstInitialisation::className))
                .values()
                .stream()
                .map(rows -> new Waiting(
                        Collections.max(rows, Comparator.comparingInt(BlockedSample::threads)),
                        rows.stream().mapToInt(BlockedSample::threads).sum()))
                .max(Comparator.comparingInt(Waiting::threads));
    }

    /** Returns the name of the class, without who holds it. */
    private static String className(BlockedSample row) {
        return row.detail().split(", held by", 2)[0];
    }

    private Finding confirmed(WaitCause wait, WindowEvidence s) {
        Window until = new Window(s.zeroNanos(), last.row().timeNanos());
        return wait.id()
                .confirmed(
                        TITLE,
                        CauseId.NONE,
                        until.seconds() / (until.seconds() + s.seconds()),
                        List.of(proof(
                                String.format(
                                        Locale.ROOT,
                                        "until second %.1f at least, when %d threads waited for %s%s%s",
                                        s.second(last.row().timeNanos()),
                                        last.threads(),
                                        last.row().detail(),
                                        last.row().frame().isEmpty()
                                                ? ""
                                                : " at " + last.row().frame(),
                                        s.evidence().sent().shared() ? "" : answered(s, until)),
                                s.moment(until))),
                        wait.remedies());
    }

    private static String answered(WindowEvidence s, Window until) {
        long served = until.of(s.evidence().load(), LoadBin::startNanos).stream()
                .filter(bin -> bin.endNanos() <= until.toNanos())
                .mapToLong(LoadBin::completed)
                .sum();
        return String.format(Locale.ROOT, "; %,d requests had been answered by then", served);
    }
}
