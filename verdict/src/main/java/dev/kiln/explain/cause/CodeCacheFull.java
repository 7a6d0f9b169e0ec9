package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.cause.CauseId.Role;
import dev.kiln.explain.window.Thresholds;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.Moment;
import dev.kiln.model.run.Finding.Proof;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.FlightCompilations;
import dev.kiln.model.run.JitState.CodeCacheFill;
import dev.kiln.model.run.Machine;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.JitSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * CodeCacheFull is the cause that a code cache, or one segment of it, has no room: HotSpot stops compiling, or throws
 * code away to go on.
 */
final class CodeCacheFull {
    static final CauseId ID = new CauseId(
                    "code-cache-full", "code cache full", Curve.CODE_CACHE, CauseId.ANY, Role.STOPS_COMPILERS)
            .taking(BudgetPart.RUNNING, BudgetPart.CPU_WAIT);

    /**
     * A code cache is full from this share in use: HotSpot begins to flush cold code when less than a tenth is free.
     */
    private static final double CODE_CACHE_USED = 0.95;

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

    /** This is HotSpot's own limit, unless it runs without tiers. */
    private static final long USUAL_BYTES = 240L << 20;

    /** HotSpot accepts no larger code cache. */
    private static final long MOST_BYTES = 2048L << 20;

    /** The weight is a rank, no share: without room nothing is compiled any more. */
    private static final double WEIGHT = 0.9;

    /** A C2 that starves has what was thrown away to compile again, so the cache comes before all that takes the CPU from it. */
    private static final double WEIGHT_STARVING = 1;

    /** JDK-8350621 needs collections that unload code, which replaced the sweeper in JDK 20; JDK 26 has the fix. */
    private static final int FIRST_WITHOUT_SWEEPER = 20;

    private static final int FIRST_FIXED = 26;

    /** Nothing is flushed any more if nothing was for this long, in seconds: a collection of a full cache comes at once. */
    private static final double STUCK_SECONDS = 10;

    private static final Pattern SEGMENT_SIZES =
            Pattern.compile("-XX:(?:NonNMethod|Profiled|NonProfiled|Hot)CodeHeapSize=.*");

    private static final FindingRemedy ONE_PIECE = new FindingRemedy(
                    "let all code share one cache",
                    "-XX:-SegmentedCodeCache",
                    "code of C2 lies further apart",
                    RemedyPlace.LAUNCH_FLAG)
            .tried(Change.flags("-XX:-SegmentedCodeCache"));

    private static final FindingRemedy COLLECT = new FindingRemedy(
            "ask for the collection that the JVM does not ask for",
            "jcmd PID GC.run",
            "one full collection; it may be needed again",
            RemedyPlace.LIVE_PROCESS);

    private static final FindingRemedy FIXED_JDK = new FindingRemedy(
            "use a JDK in which JDK-8350621 is fixed", "JDK 26", "an update", RemedyPlace.LAUNCH_FLAG);

    private CodeCacheFull() {}

    static Finding judge(WindowEvidence s, Findings earlier) {
        List<FlightDigest.CodeCacheEvent> events =
                s.evidence().flight().map(FlightDigest::codeCache).orElse(List.of());
        CodeCacheUse use = CodeCacheUse.of(s);
        if (!events.isEmpty()) {
            double at = s.second(events.getFirst().timeNanos());
            Proof first = proof(
                    events.size() + " events of the code cache, the first: "
                            + events.getFirst().what(),
                    new Moment(at, s.second(events.getLast().timeNanos())));
            return confirmed(s, use, List.of(first), false);
        }
        if (!use.asked().isEmpty()) {
            return byUse(s, use);
        }
        // A profiler's samples have no events of the JIT.
        Optional<FlightDigest> flight = s.evidence().flight().filter(RecompilationGivenUp::recorded);
        if (flight.isPresent()) {
            String none = "no event of the code cache in the flight recording";
            double compiled = compiledPerSecond(s);
            return compiled < Thresholds.CHURN_PER_SECOND
                    ? ID.ruledOut(proof(none))
                    : ID.notObservable(
                            none + ", but " + Math.round(compiled) + " methods a second were compiled: whether code"
                                    + " leaves it in turns takes the JVM's answers (the attach socket)");
        }
        return ID.notObservable("the code cache was not recorded: that takes the JVM's attach socket (the same"
                + " user or root, no -XX:+DisableAttachMechanism) or a flight recording");
    }

    private static Finding byUse(WindowEvidence s, CodeCacheUse use) {
        JitSample last = use.asked().getLast();
        CodeCacheFill cache = CodeCacheUse.fill(last);
        String text = String.format(
                Locale.ROOT,
                "%s in use (%.0f %%); found full %d times, compilation stopped %d times",
                CodeCacheUse.of(cache.usedBytes(), cache.sizeBytes()),
                100 * CodeCacheUse.share(cache),
                cache.full(),
                cache.stopped());
        CodeCacheFill before = use.before(s);
        boolean full = CodeCacheUse.more(cache, before) || CodeCacheUse.share(cache) >= CODE_CACHE_USED;
        long since = use.asked().stream()
                .filter(sample -> CodeCacheUse.more(CodeCacheUse.fill(sample), before))
                .mapToLong(JitSample::timeNanos)
                .findFirst()
                .orElse(last.timeNanos());
        List<Proof> proofs = new ArrayList<>();
        if (full) {
            proofs.add(proof(text, new Moment(s.second(since), s.second(last.timeNanos()))));
        }
        use.fullest()
                .filter(heap -> heap.share() >= CODE_CACHE_USED)
                .ifPresent(heap -> proofs.add(proof(CodeCacheUse.words(heap), s.moment())));
        Optional<String> turnover = turnover(s, use);
        boolean scarce = use.median() >= SCARCE;
        if (proofs.isEmpty() && turnover.isPresent() && (scarce || cache.sizeBytes() < USUAL_BYTES)) {
            return inTurns(s, cache.sizeBytes(), scarce, turnover.get());
        }
        turnover.filter(some -> scarce).ifPresent(some -> proofs.add(proof(some, s.moment())));
        if (!proofs.isEmpty()) {
            Optional<Proof> stuck = full ? stuck(s, use) : Optional.empty();
            stuck.ifPresent(proofs::add);
            return confirmed(s, use, proofs, stuck.isPresent());
        }
        boolean early = s.second(last.timeNanos()) < s.second(s.window().toNanos()) - s.seconds() / 2;
        return before.full() + before.stopped() > 0
                ? ID.notObservable(text + ", all before it was watched: what compilation lost by that is not known")
                : early
                        ? ID.notObservable(text + ", but that was told before the end of the load")
                        : ID.ruledOut(proof(text));
    }

    /** Returns in words that code leaves the cache while other code is compiled; empty if it does not. */
    private static Optional<String> turnover(WindowEvidence s, CodeCacheUse use) {
        long flushed = use.flushedBytes();
        double compiled = compiledPerSecond(s);
        long size = CodeCacheUse.fill(use.asked().getLast()).sizeBytes();
        return use.fell() && flushed >= TURNED_OVER * size && compiled >= Thresholds.CHURN_PER_SECOND
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "%.0f %% of it was in use, at least %.1f MiB of code left it, and %.0f methods a second were"
                                + " compiled",
                        100 * use.median(),
                        flushed / 1048576.0,
                        compiled))
                : Optional.empty();
    }

    private static double compiledPerSecond(WindowEvidence s) {
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

    /**
     * Judges a cache that was never full while code leaves it and other code comes. Code is flushed for want of room, and it also
     * goes with its classes: the JVM does not say why. A small cache that has room is therefore not ruled out.
     *
     * @param scarce whether little room is left
     */
    private static Finding inTurns(WindowEvidence s, long size, boolean scarce, String turnover) {
        boolean small = size < USUAL_BYTES;
        String flag =
                "-XX:ReservedCodeCacheSize=" + ((small ? USUAL_BYTES : Math.min(MOST_BYTES, 2 * size)) >> 20) + "m";
        if (scarce) {
            FindingRemedy compare = new FindingRemedy(
                    "compare with " + (small ? "the default size" : "twice the size")
                            + ": if it is as slow, the compilations are the fault and not the cache",
                    flag,
                    "address space; memory only for the code that was compiled",
                    RemedyPlace.LAUNCH_FLAG);
            return ID.confirmed(
                    "code leaves the code cache in turns",
                    CauseId.ANY,
                    weight(s),
                    List.of(proof(turnover + ": why code left it, the JVM does not say", s.moment())),
                    List.of(sized(s) ? compare : compare.tried(Change.flags(flag))));
        }
        return ID.notObservable(
                turnover + ": code may leave a small cache for want of room, or with its classes; a run with " + flag
                        + ", the default, tells");
    }

    private static double weight(WindowEvidence s) {
        return s.starvedC2().isPresent() ? WEIGHT_STARVING : WEIGHT;
    }

    /** Tells whether sizes of segments were given: a JVM does not start with sizes that do not add up to the whole. */
    private static boolean sized(WindowEvidence s) {
        return s.evidence().info().jvm().stream()
                .flatMap(jvm -> jvm.flags().stream())
                .anyMatch(given -> SEGMENT_SIZES.matcher(given).matches());
    }

    /** Returns the proof that a full cache is not flushed any more and nothing is compiled; empty if that is not so. */
    private static Optional<Proof> stuck(WindowEvidence s, CodeCacheUse use) {
        OptionalInt major =
                s.evidence().info().jvm().map(Machine.JvmInfo::feature).orElse(OptionalInt.empty());
        List<JitSample> since = use.asked().stream()
                .dropWhile(sample -> CodeCacheUse.share(CodeCacheUse.fill(sample)) < CODE_CACHE_USED)
                .toList();
        boolean affected =
                major.isPresent() && major.getAsInt() >= FIRST_WITHOUT_SWEEPER && major.getAsInt() < FIRST_FIXED;
        if (!affected || since.size() < 2 || CodeCacheUse.shrunk(since) > 0) {
            return Optional.empty();
        }
        double seconds = (since.getLast().timeNanos() - since.getFirst().timeNanos()) / 1e9;
        List<CompilerSample> compiler = s.evidence().compiler().stream()
                .filter(sample -> sample.timeNanos() >= since.getFirst().timeNanos())
                .toList();
        boolean compiles = compiler.size() < 2 || WindowEvidence.compilationsPerSecond(compiler) >= 1;
        return seconds < STUCK_SECONDS || compiles
                ? Optional.empty()
                : Optional.of(proof(
                        String.format(
                                Locale.ROOT,
                                "nothing was flushed or compiled in the %.0f s after it was full: a JVM of this version"
                                        + " may never ask again for the collection that flushes code (JDK-8350621)",
                                seconds),
                        new Moment(
                                s.second(since.getFirst().timeNanos()),
                                s.second(since.getLast().timeNanos()))));
    }

    private static Finding confirmed(WindowEvidence s, CodeCacheUse use, List<Proof> proofs, boolean stuck) {
        long size = use.asked().stream()
                .mapToLong(sample -> CodeCacheUse.fill(sample).sizeBytes())
                .max()
                .orElse(USUAL_BYTES);
        String flag = "-XX:ReservedCodeCacheSize=" + (Math.min(MOST_BYTES, 2 * size) >> 20) + "m";
        FindingRemedy larger = new FindingRemedy(
                "make the code cache larger",
                flag,
                "address space; memory only for the code that was compiled",
                RemedyPlace.LAUNCH_FLAG);
        boolean segmented = !use.asked().isEmpty()
                && !CodeCacheUse.fill(use.asked().getLast()).heaps().isEmpty();
        List<FindingRemedy> remedies = Stream.of(
                        Stream.of(sized(s) ? larger : larger.tried(Change.flags(flag))),
                        segmented ? Stream.of(ONE_PIECE) : Stream.<FindingRemedy>empty(),
                        stuck ? Stream.of(COLLECT, FIXED_JDK) : Stream.<FindingRemedy>empty())
                .flatMap(some -> some)
                .toList();
        return ID.confirmed(weight(s), proofs, remedies);
    }
}
