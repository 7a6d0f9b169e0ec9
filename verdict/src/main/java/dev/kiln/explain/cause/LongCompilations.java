package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.window.Recorded;
import dev.kiln.explain.window.Window;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.Proof;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.FlightCompilations;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.ThreadRole;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * LongCompilations is the cause that single compilations took so long during the warm-up that their thread was kept
 * from the CPU.
 */
final class LongCompilations {
    static final CauseId ID = new CauseId(
                    "long-compilations", "compilations of 10 s or more", Curve.COMPILATIONS, CauseId.LEVEL)
            .taking(BudgetPart.RUNNING, BudgetPart.CPU_WAIT);

    /**
     * A compilation is long from this wall time: it needs 5 to 10 ms of CPU on average, and the largest methods some
     * seconds.
     */
    private static final double LONG_SECONDS = 10;

    /** The weight is a rank, no share; this is a symptom, so it ranks below what starves C2. */
    private static final double WEIGHT = 0.5;

    private static final double SECOND = 1e9;

    private static final String MISSING =
            "how long single compilations took, and of which methods, was not recorded: it takes a flight recording";

    private LongCompilations() {}

    static Finding judge(WindowEvidence s, Findings earlier) {
        List<FlightCompilations> recorded = flight(s).compilations().stream()
                .filter(row -> isInWarmUp(s, row.timeNanos()))
                .toList();
        if (recorded.isEmpty()) {
            return byCounters(s);
        }
        List<FlightCompilations> lasting =
                recorded.stream().filter(LongCompilations::isLong).toList();
        List<FlightCompilations> starved = lasting.stream()
                .filter(row -> s.starvedC2(stretch(row)).isPresent())
                .toList();
        if (starved.isEmpty()) {
            FlightCompilations longest = longest(recorded);
            Proof proof = proof(
                    String.format(
                            Locale.ROOT,
                            "the longest compilation took %.1f s%s%s",
                            longest.maxNanos() / SECOND,
                            of(longest),
                            lasting.isEmpty() ? "" : ", but C2 was not starved of CPU meanwhile"),
                    s.moment(stretch(longest)));
            boolean waits = s.waitsRecorded()
                    && lasting.stream()
                            .allMatch(row -> s.use(ThreadRole.C2, stretch(row)).isPresent());
            boolean whole =
                    Recorded.of(flight(s)).map(rows -> rows.allOf(warmUp(s))).orElse(true);
            if (lasting.isEmpty() && !whole) {
                return ID.notObservable(proof.text() + ", but the recording misses a part of the warm-up");
            }
            return lasting.isEmpty() || waits ? ID.ruledOut(proof) : ID.notObservable(unwaited(longest));
        }
        if (earlier.confirmed(Throttling.ID)) {
            return ID.notObservable(
                    words(starved) + ": under a CPU limit every thread waits; measure without the limit");
        }
        // Those of a starvation that ended hold nothing down at the end.
        return ID.confirmed(
                ID.title(),
                earlier.confirmed(C2Starved.ID) ? CauseId.LEVEL : Set.of(),
                WEIGHT,
                proofs(s, starved),
                C2Starved.remedies(s));
    }

    private static String unwaited(FlightCompilations longest) {
        return String.format(
                Locale.ROOT,
                "the longest compilation took %.1f s%s, but the time threads wait for a CPU was not recorded",
                longest.maxNanos() / SECOND,
                of(longest));
    }

    /** Names the method of a row; recordings that earlier versions digested do not name methods. */
    private static String of(FlightCompilations row) {
        return row.longestMethod().isEmpty() ? "" : " (" + row.longestMethod() + ")";
    }

    private static List<Proof> proofs(WindowEvidence s, List<FlightCompilations> starved) {
        Window longest = stretch(longest(starved));
        return List.of(
                proof(words(starved), s.moment(longest)),
                proof("meanwhile " + s.use(ThreadRole.C2, longest).orElseThrow().words("C2"), s.moment(longest)));
    }

    /**
     * Counts the long compilations in words; a row only has how many compilations ended in its second, how long all of
     * them took, and the longest.
     */
    private static String words(List<FlightCompilations> rows) {
        long most = rows.stream()
                .mapToLong(row -> Math.min(row.count(), (long) (row.sumNanos() / SECOND / LONG_SECONDS)))
                .sum();
        FlightCompilations longest = longest(rows);
        return String.format(
                Locale.ROOT,
                "%s%d %s took 10 s or more in the warm-up, the longest %.1f s, at level %d%s",
                most > rows.size() ? "at least " : "",
                rows.size(),
                rows.size() == 1 ? "compilation" : "compilations",
                longest.maxNanos() / SECOND,
                longest.level(),
                of(longest));
    }

    /**
     * Judges by the counters, which add up the time of all compilations that ended between two readings: no single one
     * exceeds it.
     */
    private static Finding byCounters(WindowEvidence s) {
        List<CompilerSample> samples = s.evidence().compiler().stream()
                .filter(sample -> isInWarmUp(s, sample.timeNanos()))
                .toList();
        if (samples.size() < 2
                || samples.getLast().compileNanos() == 0
                || !Recorded.of(samples).allOf(warmUp(s))) {
            return ID.notObservable(MISSING);
        }
        double most = 0;
        for (int i = 1; i < samples.size(); i++) {
            most = Math.max(
                    most, (samples.get(i).compileNanos() - samples.get(i - 1).compileNanos()) / SECOND);
        }
        return most < LONG_SECONDS
                ? ID.ruledOut(proof(String.format(
                        Locale.ROOT,
                        "the compilations that ended between two readings took at most %.1f s together",
                        most)))
                : ID.notObservable(MISSING);
    }

    private static boolean isInWarmUp(WindowEvidence s, long timeNanos) {
        return timeNanos >= s.zeroNanos() && timeNanos <= s.window().toNanos();
    }

    private static Window warmUp(WindowEvidence s) {
        return new Window(s.zeroNanos(), s.window().toNanos());
    }

    private static FlightDigest flight(WindowEvidence s) {
        return s.evidence().flight().orElse(FlightDigest.EMPTY);
    }

    private static boolean isLong(FlightCompilations row) {
        return row.maxNanos() / SECOND >= LONG_SECONDS;
    }

    private static FlightCompilations longest(List<FlightCompilations> rows) {
        return rows.stream()
                .max(Comparator.comparingLong(FlightCompilations::maxNanos))
                .orElseThrow();
    }

    /** Returns when the longest compilation of a row ran: it ended within the second that begins at the row's time. */
    private static Window stretch(FlightCompilations row) {
        long end = row.timeNanos() + (long) SECOND;
        return new Window(Math.max(0, end - row.maxNanos()), end);
    }
}
