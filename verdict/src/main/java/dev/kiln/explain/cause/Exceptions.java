package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.window.Counter;
import dev.kiln.explain.window.CpuUse;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.CodeFamily;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.Proof;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.FlightDigest.FlightDeoptimizations;
import dev.kiln.model.run.FlightDigest.ThrowableCount;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** Exceptions is the cause that requests spend their CPU on exceptions: on the traces of their stacks, above all. */
final class Exceptions {
    static final CauseId ID = FamilyCause.id("exceptions", "requests spend their CPU on exceptions");

    static final FamilyCause CAUSE = new FamilyCause(
            ID,
            CodeFamily.EXCEPTIONS,
            "made an exception, or read the trace of one",
            s -> areFew(s) ? 1 : 0,
            Exceptions::perRequest,
            List.of(
                    new FindingRemedy(
                            "do not throw where no error happened: return a value",
                            "the frame above makes most of them",
                            "a change of code",
                            RemedyPlace.CODE),
                    new FindingRemedy(
                            "leave the trace out of those that nobody reads",
                            "override fillInStackTrace, or call the constructor with writableStackTrace = false",
                            "no trace where one is needed after all; -XX:MaxJavaStackTraceDepth=N shortens all traces, and with"
                                    + " them those of real errors",
                            RemedyPlace.CODE)));

    /**
     * The CPU time of one throwable, in seconds, is below this. Measured on 17 and 25: 0.17 to 0.31 ms with a trace of 1,000 frames
     * that was made and read.
     */
    private static final double MOST_SECONDS = 1e-3;

    /** A trap is left once for each exception that it makes, and not every exception comes from one. */
    private static final double FOR_A_TRAP = 2;

    private Exceptions() {}

    static Finding judge(WindowEvidence s, Findings earlier) {
        OptionalDouble thrown = perSecond(s);
        if (earlier.confirmed(RecompilationGivenUp.ID)
                && thrown.isPresent()
                && thrown.getAsDouble() <= FOR_A_TRAP * trapsPerSecond(s)) {
            return ID.ruledOut(proof(
                    String.format(
                            Locale.ROOT,
                            "%,.0f throwables a second are made where compiled code is left, which is the cause",
                            thrown.getAsDouble()),
                    s.moment(s.end())));
        }
        return CAUSE.judge(s, earlier);
    }

    /**
     * Tells whether so few throwables are made that they cannot take the share. A recording does not see the making of them.
     */
    private static boolean areFew(WindowEvidence s) {
        OptionalDouble thrown = perSecond(s);
        double cpu = s.target().map(CpuUse::cpu).orElse(0.0);
        return thrown.isPresent() && thrown.getAsDouble() * MOST_SECONDS < FamilyCause.NAMED * cpu;
    }

    private static OptionalDouble perSecond(WindowEvidence s) {
        List<ThrowableCount> rows = s.evidence().flight().stream()
                .flatMap(flight -> flight.throwables().stream())
                .toList();
        return Counter.of(rows, ThrowableCount::timeNanos, ThrowableCount::count).rateWhereKnown(s.end()).stream()
                .map(perNano -> 1e9 * perNano)
                .findFirst();
    }

    private static double trapsPerSecond(WindowEvidence s) {
        return s.evidence().flight().stream()
                        .flatMap(flight ->
                                s.end().of(flight.deoptimizations(), FlightDeoptimizations::timeNanos).stream())
                        .mapToInt(FlightDeoptimizations::count)
                        .sum()
                / s.end().seconds();
    }

    /** Returns how many were made for each request; empty where other processes answered part of them. */
    private static Optional<Proof> perRequest(WindowEvidence s) {
        double served = s.end().of(s.evidence().load(), LoadBin::startNanos).stream()
                        .mapToLong(LoadBin::completed)
                        .sum()
                / s.end().seconds();
        return perSecond(s).stream()
                .filter(thrown -> served > 0 && !s.evidence().sent().shared())
                .mapToObj(thrown -> proof(
                        String.format(Locale.ROOT, "%.3g throwables were made for each request", thrown / served),
                        s.moment(s.end())))
                .findFirst();
    }
}
