package dev.kiln.explain.cause;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.HandMade.nanos;
import static dev.kiln.explain.cause.CauseServices.flagsToTry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.Service;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.JitState;
import dev.kiln.model.run.JitState.CodeCacheFill;
import dev.kiln.model.run.JitState.CodeHeap;
import dev.kiln.model.run.JitState.HeapKind;
import dev.kiln.model.run.Sample.JitSample;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A code cache without room, as the JVM tells it: from evidence made by hand. */
class CodeCacheCausesTest {
    private static JitSample cache(double at, double usedMib, double sizeMib, CodeHeap... heaps) {
        return JitSample.at(nanos(at))
                .with(new JitState.CodeLevels(100, 600, 400, 800, OptionalInt.empty()))
                .with(new CodeCacheFill(mib(usedMib), mib(sizeMib), 0, 0, List.of(heaps)));
    }

    private static long mib(double mib) {
        return Math.round(mib * (1 << 20));
    }

    private static CodeHeap heap(HeapKind kind, double usedMib, double sizeMib) {
        return new CodeHeap(kind, mib(usedMib), mib(sizeMib), OptionalInt.empty());
    }

    private static Service cached(JitSample... answers) {
        Service service = Service.healthy();
        service.asked = false;
        service.made.jit.addAll(List.of(answers));
        return service;
    }

    /** As JDK 17 and 25 told it: the JVM counts a segment as full only where code fits nowhere. */
    @Test
    void aFullSegmentIsTheCodeCacheWhileOthersHaveRoom() {
        CodeHeap profiled = heap(HeapKind.PROFILED, 5.99, 6);
        Service full = cached(
                cache(45, 10.5, 48, profiled, heap(HeapKind.NON_PROFILED, 2.9, 36)),
                cache(65, 11, 48, heap(HeapKind.PROFILED, 5.2, 6), heap(HeapKind.NON_PROFILED, 4.4, 36)));

        assertThat(full.held()).containsExactly("code-cache-full");
        assertThat(full.first("code-cache-full"))
                .isEqualTo("the segment for profiled nmethods had 6.0 of 6.0 MiB in use");
        assertThat(full.finding("code-cache-full").title())
                .isEqualTo("code cache full in its segment for profiled nmethods");
        assertThat(flagsToTry(full.finding("code-cache-full")))
                .containsExactly("-XX:ReservedCodeCacheSize=96m", "-XX:-SegmentedCodeCache");
        Service sized = cached(cache(65, 10.5, 48, profiled));
        sized.made.flags = List.of("-XX:ProfiledCodeHeapSize=6m");
        assertThat(flagsToTry(sized.finding("code-cache-full")))
                .as("sizes that do not add up do not start")
                .containsExactly("-XX:-SegmentedCodeCache");
        assertThat(cached(cache(65, 10.5, 48, heap(HeapKind.PROFILED, 5.6, 6))).held())
                .isEmpty();
        assertThat(cached(cache(65, 10.5, 48, heap(HeapKind.HOT, 8, 8))).held())
                .as("its methods are copies")
                .isEmpty();
    }

    /** HotSpot puts code that does not fit into its own segment into another one. */
    @Test
    void aFullSegmentWhoseCodeGoesIntoAnotherIsNoCause() {
        Service full = cached(
                cache(45, 40, 48, heap(HeapKind.PROFILED, 4, 6), heap(HeapKind.NON_PROFILED, 36, 36)),
                cache(65, 41, 48, heap(HeapKind.PROFILED, 5, 6), heap(HeapKind.NON_PROFILED, 36, 36)));
        Service both = cached(cache(65, 42, 48, heap(HeapKind.PROFILED, 6, 6), heap(HeapKind.NON_PROFILED, 36, 36)));

        assertThat(full.held()).isEmpty();
        assertThat(full.finding("code-cache-full").evidence())
                .extracting(Finding.Proof::text)
                .containsExactly(
                        "the segment for non-profiled nmethods had 36.0 of 36.0 MiB in use",
                        "HotSpot puts code that does not fit there into another segment (CodeCache::allocate), which had room:"
                                + " 41.0 of 48.0 MiB in use (85 %); found full 0 times, compilation stopped 0 times");
        assertThat(both.finding("code-cache-full").title())
                .isEqualTo("code cache full in its segment for profiled nmethods and non-profiled nmethods");
    }

    /** What filled the cache after the pause held nothing back before it. */
    @Test
    void aCacheThatFillsInALaterLoadIsPresentAndExplainsNothing() {
        Service later = cached(cache(65, 30, 48), cache(72, 30, 48), cache(95, 47.5, 48));

        assertThat(later.held()).containsExactly("code-cache-full");
        assertThat(later.finding("code-cache-full").explains()).isEmpty();
        assertThat(later.finding("code-cache-full").title()).isEqualTo("code cache full, after this load");
        assertThat(later.first("code-cache-full"))
                .isEqualTo(
                        "30.0 of 48.0 MiB in use (63 %); found full 0 times, compilation stopped 0 times at its end; later"
                                + " 47.5 of 48.0 MiB in use (99 %); found full 0 times, compilation stopped 0 times");
    }

    /** What nobody could judge is no proof of something else. */
    @Test
    void whereItIsNotKnownWhyCodeLeavesTheOthersSaySo() {
        Service starved = turning(0.74 * 8, 0.5).starved();
        Service busy = turning(0.74 * 8, 0.5);

        assertThat(starved.held()).startsWith("c2-starved");
        assertThat(starved.finding("c2-starved").evidence())
                .extracting(Finding.Proof::text)
                .anySatisfy(text -> assertThat(text)
                        .startsWith("part of what is compiled may be code that has left a small code cache before"));
        assertThat(busy.finding("deoptimisation-storm").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(busy.first("deoptimisation-storm")).contains("for want of room (code-cache-full)");
    }

    /** The use of a cache of 8 MiB as JDK 17 told it, while javac ran in a loop. */
    @Test
    void aCacheThatIsFlushedInTurnsIsTheCodeCacheAndNoStorm() {
        double[] used = {6.9, 7.05, 7.0, 7.1, 6.88, 6.95, 6.85, 7.05, 6.8, 6.95, 6.8, 7.0, 6.85, 7.0, 6.8};
        JitSample[] answers = new JitSample[used.length];
        for (int i = 0; i < used.length; i++) {
            answers[i] = cache(41 + 2 * i, used[i], 8);
        }
        Service turns = cached(answers);
        turns.compilations = 60;

        assertThat(turns.held()).containsExactly("code-cache-full");
        assertThat(turns.first("code-cache-full"))
                .isEqualTo(
                        "87 % of it was in use, at least 1.1 MiB of code left it, and 60 methods a second were compiled:"
                                + " why code left it, the JVM does not say");
        assertThat(turns.finding("code-cache-full").title()).isEqualTo("code leaves the code cache in turns");
        assertThat(turns.finding("code-cache-full").remedies())
                .extracting(Finding.FindingRemedy::what, Finding.FindingRemedy::how)
                .containsExactly(tuple(
                        "compare with the default size: if it is as slow, the compilations are the fault and not the cache",
                        "-XX:ReservedCodeCacheSize=240m"));
        assertThat(turns.first("deoptimisation-storm"))
                .isEqualTo("code is thrown away for lack of room in the code cache, which is the cause");
        Service roomy = cached(cache(41, 7, 48), cache(55, 5, 48), cache(65, 7, 48));
        roomy.compilations = 2;
        assertThat(roomy.held()).as("code leaves a cache that has room, too").isEmpty();
        assertThat(cached(cache(41, 6.9, 8), cache(55, 6.95, 8), cache(65, 7, 8))
                        .held())
                .as("nothing left it")
                .isEmpty();
    }

    /** A cache of 8 MiB, so much in use but for one answer, before which so much had left it. */
    private static Service turning(double usedMib, double leftMib) {
        JitSample[] answers = new JitSample[15];
        for (int i = 0; i < answers.length; i++) {
            answers[i] = cache(41 + 2 * i, i == 7 ? usedMib - leftMib : usedMib, 8);
        }
        Service service = cached(answers);
        service.compilations = 60;
        return service;
    }

    /** What it has to compile is what was thrown away. */
    @Test
    void aCacheThatIsFlushedInTurnsComesBeforeTheC2ThatItStarves() {
        assertThat(turning(0.9 * 8, 0.5).starved().held()).startsWith("code-cache-full", "c2-starved");
    }

    @Test
    void aCacheIsFlushedInTurnsFromThreeQuartersInUseAndAFiftiethThatLeftIt() {
        assertThat(codeCache(turning(0.76 * 8, 0.5))).isEqualTo(FindingState.CONFIRMED);
        assertThat(codeCache(turning(0.74 * 8, 0.5)))
                .as("it has room, but is small")
                .isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(turning(0.28 * 8, 0.5).first("code-cache-full"))
                .isEqualTo(
                        "28 % of it was in use, at least 0.5 MiB of code left it, and 60 methods a second were compiled:"
                                + " code may leave a small cache for want of room, or with its classes; a run with"
                                + " -XX:ReservedCodeCacheSize=240m, the default, tells");
        assertThat(codeCache(turning(0.8 * 8, 0.021 * 8))).isEqualTo(FindingState.CONFIRMED);
        assertThat(codeCache(turning(0.8 * 8, 0.019 * 8)))
                .as("a method or two that are replaced")
                .isEqualTo(FindingState.RULED_OUT);
    }

    private static FindingState codeCache(Service service) {
        return service.finding("code-cache-full").state();
    }

    /** A recording has an event where the cache is full, and none where code leaves it. */
    @Test
    void aRecordingAloneRulesItOutOnlyWhereLittleIsCompiled() {
        assertThat(codeCache(recorded(2))).isEqualTo(FindingState.RULED_OUT);
        assertThat(codeCache(recorded(60))).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(recorded(60).first("code-cache-full"))
                .startsWith(
                        "no event of the code cache in the flight recording up to the end of this load, but 60 methods a second were compiled");
    }

    private static Service recorded(double compilations) {
        Service service = cached();
        service.compilations = compilations;
        service.made.flight = Optional.of(HandMade.flight(new FlightDigest.FlightJit(
                List.of(),
                IntStream.range(0, 105)
                        .mapToObj(t -> new FlightDigest.QueueUse(t * SECOND, "C2", 0, 0, 0, 0))
                        .toList(),
                List.of(),
                List.of(),
                List.of())));
        return service;
    }

    /** JDK-8350621. */
    @Test
    void aFullCacheThatIsNeverFlushedAgainIsToldWithItsRemedy() {
        Service stuck = cached(cache(35, 47.6, 48), cache(50, 47.6, 48), cache(66, 47.7, 48));
        stuck.compilations = 0;
        stuck.made.version = "21.0.5";

        assertThat(stuck.held()).containsExactly("code-cache-full");
        assertThat(stuck.finding("code-cache-full").evidence().getLast().text())
                .startsWith("nothing was flushed or compiled in the 31 s after it was full")
                .endsWith("(JDK-8350621)");
        assertThat(stuck.finding("code-cache-full").remedies())
                .extracting(Finding.FindingRemedy::how)
                .contains("jcmd PID GC.run");
        Service old = cached(cache(35, 47.6, 48), cache(50, 47.6, 48), cache(66, 47.7, 48));
        old.compilations = 0;
        old.made.version = "17.0.15";
        assertThat(old.finding("code-cache-full").evidence())
                .as("it has a sweeper")
                .hasSize(1);
    }
}
