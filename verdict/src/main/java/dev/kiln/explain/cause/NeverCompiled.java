package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.window.CpuUse;
import dev.kiln.explain.window.Thresholds;
import dev.kiln.explain.window.Window;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Finding.Proof;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.HotMethod;
import dev.kiln.model.run.FlightDigest.TierShare;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.ThreadRole;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * NeverCompiled is the cause that HotSpot does not compile a hot method: it is too large, or left out, or C2 gave it up. It
 * is not compiled in the reference either, so it explains nothing of a difference to it.
 */
final class NeverCompiled {
    static final CauseId ID =
            new CauseId("never-compiled", "a hot method is not compiled", Curve.METHOD_LEVELS, CauseId.NONE);

    /** The rows of hot methods are ten seconds each: these are the last two that begin under the load. */
    private static final long END_NANOS = 20_000_000_000L;

    /** What the recorder itself runs is no part of the service. */
    private static final String RECORDER = "jdk.jfr.";

    private static final Window EVER = new Window(0, Long.MAX_VALUE);
    private static final String AT_END = "at the end";

    private static final List<FindingRemedy> TOO_LARGE = List.of(
            new FindingRemedy(
                    "split the method: HotSpot compiles none with over 8,000 bytes of bytecode",
                    "javap -c -p CLASS shows the size",
                    "a change of code, or of what generates it",
                    RemedyPlace.CODE),
            new FindingRemedy(
                            "let HotSpot compile it all the same, to prove it",
                            "-XX:-DontCompileHugeMethods",
                            "compilations of huge methods take long, and may be given up",
                            RemedyPlace.LAUNCH_FLAG)
                    .tried(Change.flags("-XX:-DontCompileHugeMethods")));

    /** The recordings name no sizes: a method was found beyond the limit, or its size is not known. */
    private static final List<FindingRemedy> PERHAPS_TOO_LARGE = List.of(
            new FindingRemedy(
                    "look at the size of the method, and split it if it is over the limit: HotSpot compiles none with over 8,000 bytes"
                            + " of bytecode",
                    TOO_LARGE.getFirst().how(),
                    TOO_LARGE.getFirst().cost(),
                    RemedyPlace.CODE),
            TOO_LARGE.getLast());

    private static final FindingRemedy GIVEN_UP = new FindingRemedy(
            "look up why C2 gave it up, and make the method simpler",
            "-XX:+PrintCompilation prints COMPILE SKIPPED with the reason",
            "a change of code; no flag is known that helps",
            RemedyPlace.CODE);

    private static final String WAITED = "interpreted; whether it waited for a compiler, or for room, is not known";

    private NeverCompiled() {}

    static Finding judge(WindowEvidence s, Findings earlier) {
        if (CompilationLimited.without(s.evidence().info())) {
            return ID.ruledOut(proof("flags keep all methods from C2 or from both compilers, which is the cause"));
        }
        Window end = new Window(
                Math.max(s.window().fromNanos(), s.window().toNanos() - END_NANOS),
                s.window().toNanos());
        List<HotAtEnd> hot = hot(s.evidence().flight(), end);
        if (!hot.isEmpty()) {
            return byMethods(s, earlier, hot, end);
        }
        List<HotAtEnd> closing = hot(s.evidence().closing(), EVER);
        return closing.isEmpty() ? ID.notObservable(missing(s)) : afterIt(s, earlier, closing);
    }

    /** Returns what would cure that these are never compiled: a flag that leaves methods out is more likely than an unseen size. */
    private static List<FindingRemedy> remedies(List<HotAtEnd> never, WindowEvidence s) {
        List<FindingRemedy> undo = CompilationLimited.leftOut(s.evidence().info());
        return never.stream().anyMatch(HotAtEnd::tooLarge) ? TOO_LARGE : undo.isEmpty() ? PERHAPS_TOO_LARGE : undo;
    }

    /** Returns the methods that a recording found in a window, those first that ran most without code of C2; none if it had none. */
    private static List<HotAtEnd> hot(Optional<FlightDigest> recorded, Window window) {
        FlightDigest flight = recorded.orElse(FlightDigest.EMPTY);
        List<HotMethod> rows =
                within(window, flight.hot().stream(), HotMethod::timeNanos).toList();
        // Rows of methods are ten seconds each, and need not begin with the window.
        long first = rows.stream().mapToLong(HotMethod::timeNanos).min().orElse(window.fromNanos());
        int all = within(new Window(first, window.toNanos()), flight.tiers().stream(), TierShare::timeNanos)
                .mapToInt(row -> row.interpreted() + row.c1() + row.c2() + row.inlined() + row.nativeCode())
                .sum();
        Map<String, List<HotMethod>> methods = rows.stream()
                .filter(row -> !row.method().startsWith(RECORDER))
                .collect(Collectors.groupingBy(HotMethod::method));
        return all == 0
                ? List.of()
                : methods.entrySet().stream()
                        .map(method -> HotAtEnd.of(method.getKey(), method.getValue(), all))
                        .sorted(Comparator.comparingDouble(HotAtEnd::slow).reversed())
                        .toList();
    }

    /** Judges by the recording that was made when all else was measured. What the compilers had to do meanwhile was not recorded. */
    private static Finding afterIt(WindowEvidence s, Findings earlier, List<HotAtEnd> hot) {
        double from = s.evidence().closing().stream()
                .flatMap(flight -> flight.tiers().stream())
                .mapToLong(TierShare::timeNanos)
                .min()
                .stream()
                .mapToDouble(s::second)
                .findFirst()
                .orElse(0);
        String there = String.format(
                Locale.ROOT,
                "in the load that went on under a recording from second %.0f on (closing/recording.jfr)",
                from);
        List<HotAtEnd> interpreted =
                hot.stream().filter(HotAtEnd::neverCompiled).toList();
        if (!interpreted.isEmpty() && earlier.confirmed(CodeCacheFull.ID)) {
            return ID.notObservable(
                    interpreted.getFirst().words(there, "interpreted; the code cache may have had no room for it"));
        }
        boolean waitsForNone =
                compilersWereIdle(s) && earlier.of(CodeCacheFull.ID).state() == FindingState.RULED_OUT;
        List<HotAtEnd> never = interpreted.stream()
                .filter(method -> method.tooLarge() || waitsForNone)
                .toList();
        if (!never.isEmpty()) {
            return ID.confirmed(
                    never.getFirst().slow(),
                    never.stream()
                            .map(method ->
                                    proof(method.words(there, "interpreted, and the JVM had no compiled code of it")))
                            .toList(),
                    remedies(never, s));
        }
        if (!interpreted.isEmpty()) {
            return ID.notObservable(interpreted.getFirst().words(there, WAITED));
        }
        Optional<String> open = hot.stream()
                .filter(HotAtEnd::isOpen)
                .map(method -> method.leftToC1()
                        ? method.words(there, "code of C1; whether C2 had come to it was not recorded")
                        : method.words(there, "without code of C2, but these are too few to tell"))
                .findFirst();
        return open.map(ID::notObservable).orElseGet(() -> ID.ruledOut(proof(none() + ", " + there)));
    }

    private static String none() {
        return String.format(
                Locale.ROOT,
                "no method with %.0f %% of the samples was interpreted, or left to C1",
                100 * HotAtEnd.SHARE);
    }

    private static Finding byMethods(WindowEvidence s, Findings earlier, List<HotAtEnd> hot, Window end) {
        List<HotAtEnd> without = hot.stream().filter(HotAtEnd::neverCompiled).toList();
        List<HotAtEnd> interpreted = without.stream()
                .filter(method -> method.tooLarge() || !mayWait(s, earlier))
                .toList();
        List<HotAtEnd> leftToC1 = hot.stream().filter(HotAtEnd::leftToC1).toList();
        boolean waits = !leftToC1.isEmpty() && (!idle(s) || earlier.explaining(CodeCacheFull.ID));
        List<Proof> proofs = new ArrayList<>();
        interpreted.forEach(
                method -> proofs.add(proof(method.words(AT_END, "interpreted, and never compiled"), s.moment(end))));
        if (!waits) {
            leftToC1.forEach(method -> proofs.add(proof(
                    method.words(AT_END, "code of C1, while C2 was idle and no method waited for it: C2 gave it up"),
                    s.moment(end))));
        }
        if (!proofs.isEmpty()) {
            return ID.confirmed(
                    Stream.concat(interpreted.stream(), leftToC1.stream())
                            .mapToDouble(HotAtEnd::slow)
                            .max()
                            .orElse(0),
                    proofs,
                    Stream.concat(
                                    (interpreted.isEmpty() ? List.<FindingRemedy>of() : remedies(interpreted, s))
                                            .stream(),
                                    (waits || leftToC1.isEmpty() ? List.<FindingRemedy>of() : List.of(GIVEN_UP))
                                            .stream())
                            .toList());
        }
        if (!without.isEmpty()) {
            return ID.notObservable(without.getFirst().words(AT_END, WAITED));
        }
        return waits
                ? ID.notObservable(leftToC1.getFirst().words(AT_END, "code of C1")
                        + ", and C2 had not come to it, as far as is known")
                : ID.ruledOut(proof(none(), s.moment(end)));
    }

    /** Tells whether a method may have no code because C1 had not come to it, or because there was no room for it. */
    private static boolean mayWait(WindowEvidence s, Findings earlier) {
        return earlier.explaining(CodeCacheFull.ID)
                || s.use(ThreadRole.C1, s.end())
                        .filter(use -> use.demand() >= Thresholds.QUIET_DEMAND)
                        .isPresent();
    }

    /** Tells whether both compilers had nothing to do at the end of the load: a method without code then waits for neither. */
    private static boolean compilersWereIdle(WindowEvidence s) {
        Optional<CpuUse> c1 = s.use(ThreadRole.C1, s.end());
        return idle(s)
                && c1.filter(use -> use.demand() < Thresholds.QUIET_DEMAND).isPresent();
    }

    /** Tells whether C2 is known to have had nothing to do at the end. */
    private static boolean idle(WindowEvidence s) {
        Optional<CpuUse> c2 = s.use(ThreadRole.C2, s.end());
        boolean known = c2.isPresent() || s.c2Queue().isPresent();
        return known
                && s.c2Queue().orElse(0) < 1
                && c2.filter(use -> use.demand() >= Thresholds.QUIET_DEMAND).isEmpty();
    }

    private static String missing(WindowEvidence s) {
        List<CompilerSample> compiler = s.evidence().compiler();
        long given = compiler.isEmpty() ? 0 : compiler.getLast().bailouts();
        return "which methods are hot and interpreted was not recorded: that takes a flight recording"
                + " (--flight-recorder), async-profiler, or the closing recording of a variant's first run"
                + (given > 0
                        ? "; the JVM gave up " + given + (given == 1 ? " compilation" : " compilations")
                                + " (bailouts), which need not be of hot methods"
                        : "");
    }

    private static <T> Stream<T> within(Window window, Stream<T> rows, ToLongFunction<T> time) {
        return rows.filter(
                row -> time.applyAsLong(row) >= window.fromNanos() && time.applyAsLong(row) < window.toNanos());
    }
}
