package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.cause.CauseId.Role;
import dev.kiln.explain.window.Thresholds;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.Effect;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.Moment;
import dev.kiln.model.run.Finding.Proof;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.JitState.CodeCacheFill;
import dev.kiln.model.run.JitState.CodeHeap;
import dev.kiln.model.run.JitState.HeapKind;
import dev.kiln.model.run.Machine;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.JitSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * CodeCacheFull is the cause that a code cache, or one segment of it, has no room: HotSpot stops compiling, or throws
 * code away to go on.
 */
final class CodeCacheFull {
    static final CauseId ID = new CauseId(
                    "code-cache-full", "code cache full", Curve.CODE_CACHE, CauseId.ANY, Role.STOPS_COMPILERS)
            .taking(BudgetPart.RUNNING, BudgetPart.CPU_WAIT);

    /** This is HotSpot's own limit, unless it runs without tiers. */
    static final long USUAL_BYTES = 240L << 20;

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
                s.evidence().flight().map(FlightDigest::codeCache).orElse(List.of()).stream()
                        .filter(event -> event.timeNanos() <= s.window().toNanos())
                        .toList();
        CodeCacheUse use = CodeCacheUse.of(s);
        if (!events.isEmpty()) {
            double at = s.second(events.getFirst().timeNanos());
            Proof first = proof(
                    events.size() + " events of the code cache, the first: "
                            + events.getFirst().what(),
                    new Moment(at, s.second(events.getLast().timeNanos())));
            return confirmed(s, use, ID.title(), ID.can(), List.of(first), false);
        }
        if (!use.asked().isEmpty()) {
            return byUse(s, use);
        }
        // A profiler's samples have no events of the JIT.
        Optional<FlightDigest> flight = s.evidence().flight().filter(RecompilationGivenUp::recorded);
        if (flight.isPresent()) {
            String none = "no event of the code cache in the flight recording up to the end of this load";
            double compiled = CodeTurnover.compiledPerSecond(s);
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
        Optional<Proof> whole = whole(s, use);
        List<CodeHeap> segments = use.fullSegments();
        Optional<CodeTurnover> turnover = CodeTurnover.of(s, use);
        if (whole.isPresent() || !segments.isEmpty()) {
            return full(s, use, whole, segments, turnover);
        }
        return turnover.filter(some -> some.scarce() || some.sizeBytes() < USUAL_BYTES)
                .map(some -> inTurns(s, some))
                .orElseGet(() -> withRoom(s, use));
    }

    /** Returns the proof that all of the cache had no room; empty if it had. */
    private static Optional<Proof> whole(WindowEvidence s, CodeCacheUse use) {
        JitSample last = use.asked().getLast();
        CodeCacheFill before = use.before(s);
        if (!CodeCacheUse.more(use.last(), before) && !CodeCacheUse.isFull(use.last())) {
            return Optional.empty();
        }
        long since = use.asked().stream()
                .filter(sample -> CodeCacheUse.more(CodeCacheUse.fill(sample), before))
                .mapToLong(JitSample::timeNanos)
                .findFirst()
                .orElse(last.timeNanos());
        return Optional.of(
                proof(CodeCacheUse.words(use.last()), new Moment(s.second(since), s.second(last.timeNanos()))));
    }

    /**
     * Judges a cache without room, or one of which a segment has none: its code goes into another one then. A full one for profiled
     * code is told all the same: before JDK 20 C1 takes more calls of a method until it compiles it, the fuller that one is
     * (CompilationPolicy::threshold_scale).
     */
    private static Finding full(
            WindowEvidence s,
            CodeCacheUse use,
            Optional<Proof> whole,
            List<CodeHeap> segments,
            Optional<CodeTurnover> turnover) {
        List<Proof> proofs = new ArrayList<>(whole.stream().toList());
        segments.forEach(heap -> proofs.add(proof(CodeCacheUse.words(heap), s.moment())));
        turnover.filter(CodeTurnover::scarce).ifPresent(some -> proofs.add(proof(some.words(), s.moment())));
        if (whole.isPresent()) {
            Optional<Proof> stuck = stuck(s, use);
            stuck.ifPresent(proofs::add);
            return confirmed(s, use, ID.title(), ID.can(), proofs, stuck.isPresent());
        }
        String title = segments.stream()
                .map(heap -> heap.kind().text())
                .collect(Collectors.joining(" and ", "code cache full in its segment for ", ""));
        if (turnover.isPresent() || segments.stream().anyMatch(heap -> heap.kind() == HeapKind.PROFILED)) {
            return confirmed(s, use, title, ID.can(), proofs, false);
        }
        proofs.add(proof(
                "HotSpot puts code that does not fit there into another segment (CodeCache::allocate), which had room: "
                        + CodeCacheUse.words(use.last())));
        return ID.ruledOut(proofs.toArray(Proof[]::new));
    }

    /** Judges a cache that had room in the window. What filled it later held nothing back before. */
    private static Finding withRoom(WindowEvidence s, CodeCacheUse use) {
        String text = CodeCacheUse.words(use.last());
        CodeCacheFill before = use.before(s);
        Optional<CodeCacheFill> later = use.later()
                .map(CodeCacheUse::fill)
                .filter(fill -> CodeCacheUse.more(fill, use.last()) || CodeCacheUse.isFull(fill));
        if (later.isPresent()) {
            return confirmed(
                    s,
                    use,
                    ID.title() + ", after this load",
                    CauseId.NONE,
                    List.of(proof(text + " at its end; later " + CodeCacheUse.words(later.get()))),
                    false);
        }
        boolean early = s.second(use.asked().getLast().timeNanos())
                < s.second(s.window().toNanos()) - s.seconds() / 2;
        return before.full() + before.stopped() > 0
                ? ID.notObservable(text + ", all before it was watched: what compilation lost by that is not known")
                : early
                        ? ID.notObservable(text + ", but that was told before the end of the load")
                        : ID.ruledOut(proof(text));
    }

    /**
     * Judges a cache that was never full while code leaves it and other code comes. Code is flushed for want of room, and it also
     * goes with its classes: the JVM does not say why. A small cache that has room is therefore not ruled out.
     */
    private static Finding inTurns(WindowEvidence s, CodeTurnover turnover) {
        long size = turnover.sizeBytes();
        boolean small = size < USUAL_BYTES;
        String flag =
                "-XX:ReservedCodeCacheSize=" + ((small ? USUAL_BYTES : Math.min(MOST_BYTES, 2 * size)) >> 20) + "m";
        Optional<String> why = turnover.forRoom(s)
                .or(() ->
                        Optional.of(": why code left it, the JVM does not say").filter(some -> turnover.scarce()));
        if (why.isEmpty()) {
            return ID.notObservable(turnover.words()
                    + ": code may leave a small cache for want of room, or with its classes; a run with " + flag
                    + ", the default, tells");
        }
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
                List.of(proof(turnover.words() + why.get(), s.moment())),
                List.of(sized(s) ? compare : compare.tried(Change.flags(flag))));
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
                .dropWhile(sample -> !CodeCacheUse.isFull(CodeCacheUse.fill(sample)))
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

    private static Finding confirmed(
            WindowEvidence s, CodeCacheUse use, String title, Set<Effect> did, List<Proof> proofs, boolean stuck) {
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
        boolean segmented = !use.asked().isEmpty() && !use.last().heaps().isEmpty();
        List<FindingRemedy> remedies = Stream.of(
                        Stream.of(sized(s) ? larger : larger.tried(Change.flags(flag))),
                        segmented ? Stream.of(ONE_PIECE) : Stream.<FindingRemedy>empty(),
                        stuck ? Stream.of(COLLECT, FIXED_JDK) : Stream.<FindingRemedy>empty())
                .flatMap(some -> some)
                .toList();
        return ID.confirmed(title, did, weight(s), proofs, remedies);
    }
}
