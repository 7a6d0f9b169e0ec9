package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.window.Counter;
import dev.kiln.explain.window.DeoptimisationLooks;
import dev.kiln.explain.window.Thresholds;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.explain.window.WindowStatistics.Purpose;
import dev.kiln.model.run.CollectionCause;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Finding.Proof;
import dev.kiln.model.run.FlightDigest.FlightCompilations;
import dev.kiln.model.run.Sample.ClassSample;
import dev.kiln.model.run.Sample.CompilerSample;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A CodeTurnover is code that leaves the code cache while other code is compiled. The JVM does not say why code leaves: for want of
 * room, with its class, or because what it assumed did not hold. What C2 replaces leaves as well, which is no turnover: then the
 * compilations leave their mark.
 *
 * @param share of the cache in use, in the middle of the answers
 * @param sizeBytes of the cache
 * @param leftBytes that left it in the window, at the least
 * @param compiledPerSecond methods
 */
record CodeTurnover(double share, long sizeBytes, long leftBytes, double compiledPerSecond) {
    /**
     * A code cache from this share in use is scarce, if code leaves it as well. Measured at 5 and 8 MiB: 81 to 89 % on
     * JDK 17, 76 to 86 % on JDK 25, where code is flushed earlier. Code also leaves a cache that has room, with classes that
     * die: 6 to 41 % of one of 8 MiB within some 10 s, while 26 to 66 % of it was in use (generations:300 of the fixtures).
     */
    private static final double SCARCE = 0.75;

    /**
     * Code is flushed in turns if at least this share of the cache left it in the window of 30 s. Measured at 5 and 8
     * MiB: 4 to 50 %. None left that of a settled service (cpu:2000000 of the fixtures), on JDK 17 and 25.
     */
    private static final double TURNED_OVER = 0.02;

    /** Returns what left the cache; empty if nothing did, or little, or if little is compiled or most of it stays in use. */
    static Optional<CodeTurnover> of(WindowEvidence s, CodeCacheUse use) {
        if (!use.fell() || !Churn.of(s).map(Churn::isForNothing).orElse(true)) {
            return Optional.empty();
        }
        long size = use.last().sizeBytes();
        CodeTurnover all = new CodeTurnover(use.median(), size, use.flushedBytes(), compiledPerSecond(s));
        return Optional.of(all)
                .filter(some ->
                        some.leftBytes >= TURNED_OVER * size && some.compiledPerSecond >= Thresholds.CHURN_PER_SECOND);
    }

    /**
     * Returns the proof that what the compilers have to do may be code that left the cache, where that could not be judged: it
     * stands beside each cause that is told of their work.
     *
     * @param codeCache what was found of the code cache
     */
    static Optional<Proof> beside(WindowEvidence s, Finding codeCache) {
        CodeCacheUse use = CodeCacheUse.of(s);
        return use.asked().isEmpty() || codeCache.state() != FindingState.NOT_OBSERVABLE
                ? Optional.empty()
                : of(s, use)
                        .filter(some -> some.sizeBytes() < CodeCacheFull.USUAL_BYTES)
                        .map(some -> proof(
                                "part of what is compiled may be code that has left a small code cache before, for want of"
                                        + " room (code-cache-full): " + some.words(),
                                s.moment()));
    }

    static double compiledPerSecond(WindowEvidence s) {
        List<CompilerSample> compiler = s.within(s.evidence().compiler(), CompilerSample::timeNanos);
        return compiler.size() < 2
                ? s.evidence().flight().stream()
                                .flatMap(flight ->
                                        s.within(flight.compilations(), FlightCompilations::timeNanos).stream())
                                .mapToInt(FlightCompilations::count)
                                .sum()
                        / s.seconds()
                : WindowEvidence.compilationsPerSecond(compiler);
    }

    /** Tells whether little room is left. */
    boolean scarce() {
        return share >= SCARCE;
    }

    /**
     * Returns in words that code left for want of room, though some was free: as much left as the cache held, no class came that
     * others could have made way for, and hardly any code was left because of what it assumed. It is empty where that is not known.
     */
    Optional<String> forRoom(WindowEvidence s) {
        OptionalDouble classes = Counter.of(s.evidence().classes(), ClassSample::timeNanos, ClassSample::loaded)
                .rateWhereKnown(s.window());
        boolean stay = classes.isPresent() && 1e9 * classes.getAsDouble() * s.seconds() < 1;
        boolean kept = DeoptimisationLooks.of(s)
                .filter(looks -> looks.fewer(DeoptimisationStorm.DEOPTIMISATIONS_PER_SECOND))
                .isPresent();
        return stay && kept && leftBytes >= share * sizeBytes
                ? Optional.of("; more left it than it held, while no class was loaded and hardly any code was left by a"
                        + " deoptimisation, so it left for want of room" + collected(s))
                : Optional.empty();
    }

    /** Returns in words how often the JVM collected to make room in the cache, as it does from JDK 20 on. */
    private static String collected(WindowEvidence s) {
        return s.observed().collections().stream()
                .map(all -> all.of(CollectionCause.CODE_CACHE))
                .mapToDouble(Purpose::perSecond)
                .filter(perSecond -> perSecond > 0)
                .mapToObj(perSecond -> String.format(
                        Locale.ROOT, "; the JVM collected %.1f times a second because of the code cache", perSecond))
                .findFirst()
                .orElse("");
    }

    String words() {
        return String.format(
                Locale.ROOT,
                "%.0f %% of it was in use, at least %.1f MiB of code left it, and %.0f methods a second were compiled",
                100 * share,
                leftBytes / 1048576.0,
                compiledPerSecond);
    }
}
