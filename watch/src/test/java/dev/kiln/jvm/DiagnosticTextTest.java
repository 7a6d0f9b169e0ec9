package dev.kiln.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.kiln.jvm.DiagnosticCommands.CodeCacheText;
import dev.kiln.jvm.DiagnosticCommands.CodeList;
import dev.kiln.jvm.DiagnosticCommands.CompileQueues;
import dev.kiln.model.run.JitState.CodeCacheFill;
import dev.kiln.model.run.JitState.CodeHeap;
import dev.kiln.model.run.JitState.CodeLevels;
import dev.kiln.model.run.JitState.Deoptimisations;
import dev.kiln.model.run.JitState.HeapKind;
import dev.kiln.model.run.JitState.Trap;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** On what the JVMs of the files' names answered while they compiled; of long answers some lines are kept. */
class DiagnosticTextTest {
    @ParameterizedTest
    @CsvSource({"17.0.15,1,15", "25.0.3,0,18", "25.0.3-empty,0,0"})
    void countsTheQueues(String version, int c1, int c2) {
        assertThat(CompileQueues.parse(text("queue-" + version)))
                .contains(new CompileQueues(OptionalInt.of(c1), OptionalInt.of(c2)));
    }

    @Test
    void aCompilerThatIsNotThereHasNoQueue() {
        assertThat(CompileQueues.parse("Current compiles: \n\nC1 compile queue:\nEmpty\n\n"))
                .contains(new CompileQueues(OptionalInt.of(0), OptionalInt.empty()));
        assertThat(CompileQueues.parse("""
                Current compiles:
                C2 CompilerThread0   385             java.lang.AbstractStringBuilder::newCapacity (49 bytes)

                C2 compile queue:
                 384             java.lang.StringBuilder::<init> (7 bytes)

                """)).contains(new CompileQueues(OptionalInt.empty(), OptionalInt.of(1)));
        assertThat(CompileQueues.parse("Current compiles: \n\n"))
                .contains(new CompileQueues(OptionalInt.empty(), OptionalInt.empty()));
        assertThat(CompileQueues.parse("something else\n")).isEmpty();
    }

    @Test
    void countsTheMethodsInUseByLevel() {
        assertThat(levels("codelist-17.0.15")).contains(new CodeLevels(9, 47, 32, 18, OptionalInt.of(1)));
        assertThat(levels("codelist-25.0.3")).contains(new CodeLevels(8, 28, 38, 17, OptionalInt.of(0)));
    }

    private static Optional<CodeLevels> levels(String name) {
        return new CodeList().levels(bytes(name));
    }

    /** Code of C2 is thrown away once: first it is listed under another state (2 on JDK 17, 1 on 25), then not at all. */
    @Test
    void whatC2CompiledAndWasThrownAwayIsCountedOnce() {
        CodeList list = new CodeList();
        assertThat(list.levels(lines("7 4 0 a.A.a()V", "8 4 0 a.B.b()V", "9 3 0 a.C.c()V", "10 4 1 a.D.d()V")))
                .contains(new CodeLevels(0, 0, 1, 2, OptionalInt.of(1)));
        assertThat(list.levels(lines("7 4 1 a.A.a()V", "8 4 0 a.B.b()V", "9 3 2 a.C.c()V")))
                .contains(new CodeLevels(0, 0, 0, 1, OptionalInt.of(2)));
        assertThat(list.levels(lines("8 4 0 a.B.b()V", "11 4 0 a.A.a()V")))
                .contains(new CodeLevels(0, 0, 0, 2, OptionalInt.of(2)));
    }

    /** A hidden class has its number behind a slash here, and behind a plus or a dot in a recording. */
    @ParameterizedTest
    @ValueSource(strings = {"17.0.15", "25.0.3"})
    void eachMethodWithCodeInUseHasItsHighestLevel(String version) {
        assertThat(CompiledCode.parse(text("codelist-" + version)).orElseThrow())
                .hasSizeGreaterThan(50);
        String lambda = "a.A$$Lambda+0x00007f6e780e7d80.test(La/b/C;)V";
        assertThat(CompiledCode.parse(new String(
                        lines(
                                "7 3 0 a.A.a(I)La/B;",
                                "8 4 0 a.A.a(I)La/B;",
                                "9 4 1 a.C.c()V",
                                "3 0 0 a.D.d()V",
                                "10 2 0 a.A$$Lambda/0x00007f6e780e7d80.test(La/b/C;)V"),
                        StandardCharsets.UTF_8)))
                .contains(Map.of("a.A.a(I)La/B;", 4, CompiledCode.plain(lambda), 2));
        assertThat(CompiledCode.parse("Unknown diagnostic command\n")).isEmpty();
    }

    private static byte[] lines(String... lines) {
        return Arrays.stream(lines)
                .map(line -> line + " [0x0, 0x1 - 0x2]\n")
                .collect(Collectors.joining())
                .getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aListMayBeEmptyOrCutButNotForeign() {
        assertThat(new CodeList().levels(new byte[0])).contains(new CodeLevels(0, 0, 0, 0, OptionalInt.empty()));
        assertThat(new CodeList().levels("7 4 0 a.B.c()V [0x0]\n12 3 ".getBytes(StandardCharsets.UTF_8)))
                .contains(new CodeLevels(0, 0, 0, 1, OptionalInt.empty()));
        assertThat(new CodeList().levels("no list\nof any kind\n".getBytes(StandardCharsets.UTF_8)))
                .isEmpty();
    }

    @Test
    void addsUpTheSegmentsOfTheCodeCache() {
        assertThat(cache("17.0.15"))
                .isEqualTo(new CodeCacheFill(
                        (1703L + 8622 + 1151) << 10,
                        (120036L + 120032 + 5692) << 10,
                        0,
                        0,
                        List.of(
                                heap(HeapKind.NON_PROFILED, 1703, 120036),
                                heap(HeapKind.PROFILED, 8622, 120032),
                                heap(HeapKind.NON_NMETHODS, 1151, 5692))));
        assertThat(cache("25.0.3").usedBytes()).isEqualTo((1154L + 4945 + 1504) << 10);
        assertThat(cache("25.0.3").sizeBytes()).isEqualTo((120036L + 120036 + 5692) << 10);
        assertThat(cache("17.0.15-unsegmented"))
                .isEqualTo(new CodeCacheFill(6455 << 10, 245760 << 10, 0, 0, List.of()));
        assertThat(cache("25.0.3-unsegmented")).isEqualTo(new CodeCacheFill(4352 << 10, 245760 << 10, 0, 0, List.of()));
    }

    /** With 6 MiB for profiled code: the JVM counts that as full on neither version. */
    @Test
    void eachSegmentOfTheCodeCacheIsReadByItself() {
        assertThat(cache("17.0.15-profiled-full").heaps()).contains(heap(HeapKind.PROFILED, 6123, 6144));
        assertThat(cache("25.0.3-profiled-full").heaps())
                .containsExactly(
                        heap(HeapKind.NON_PROFILED, 2927, 36864),
                        heap(HeapKind.PROFILED, 6143, 6144),
                        heap(HeapKind.NON_NMETHODS, 1479, 6144));
        assertThat(cache("25.0.3-profiled-full").full()).isZero();
    }

    /** In the form that HotSpot's source gives it since JDK 28, with invented figures: no such JVM was asked. */
    @Test
    void eachSegmentHasItsOwnCountSinceJdk28() {
        CodeCacheFill cache = cache("28-form");

        assertThat(cache.full()).as("of all segments").isEqualTo(3);
        assertThat(cache.heaps())
                .extracting(CodeHeap::kind, CodeHeap::full)
                .containsExactly(
                        tuple(HeapKind.NON_PROFILED, OptionalInt.of(0)),
                        tuple(HeapKind.PROFILED, OptionalInt.of(2)),
                        tuple(HeapKind.HOT, OptionalInt.of(1)),
                        tuple(HeapKind.NON_NMETHODS, OptionalInt.of(0)));
    }

    private static CodeHeap heap(HeapKind kind, long usedKib, long sizeKib) {
        return new CodeHeap(kind, usedKib << 10, sizeKib << 10, OptionalInt.empty());
    }

    private static CodeCacheFill cache(String name) {
        return CodeCacheText.parse(text("codecache-" + name)).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"17.0.15", "25.0.3"})
    void theCountsOfTheCodeCacheAreFoundWhereTheVersionHasThem(String version) {
        String full = text("codecache-" + version)
                .replace("full_count=0", "full_count=3")
                .replace("stopped_count=0", "stopped_count=2");
        CodeCacheFill cache = CodeCacheText.parse(full).orElseThrow();
        assertThat(cache.full()).isEqualTo(3);
        assertThat(cache.stopped()).isEqualTo(2);
        assertThat(CodeCacheText.parse(full.replace("full_count", "n"))).isEmpty();
    }

    /** Five deoptimisations of four lines each, as a service told them that throws, or whose methods are left in turns. */
    @ParameterizedTest
    @CsvSource({
        "25.0.3-none,11.690,3,5,range_check,none,dev.kiln.fixtures.faults.Throwing.at@2",
        "17.0.15-none,11.491,3,5,range_check,none,dev.kiln.fixtures.faults.Throwing.at@2",
        "25.0.3-turns,11.500,135,0,unstable_if,reinterpret,dev.kiln.fixtures.faults.TrapMethod.applyAsLong@39",
        "17.0.15-turns,11.300,6,0,unstable_if,reinterpret,dev.kiln.fixtures.faults.TrapMethod.applyAsLong@379"
    })
    void theLastDeoptimisationsCameSinceTheFirstOfThem(
            String name, String now, long millis, int none, String reason, String action, String place) {
        assertThat(told(new DeoptimisationLog(), now, text("deopt-" + name)))
                .isEqualTo(new Deoptimisations(
                        5, millis * 1_000_000, false, none, Optional.of(new Trap(reason, action, place))));
    }

    /** Code that was thrown away under a thread is left without a trap, and has two lines. */
    @ParameterizedTest
    @CsvSource({"25.0.3,3", "17.0.15,2"})
    void fewerLinesThanTheJvmKeepsAreAllThereEverWere(String version, int count) {
        assertThat(told(new DeoptimisationLog(), "10.000", text("deopt-" + version + "-few")))
                .isEqualTo(new Deoptimisations(count, 10_001_000_000L, true, 0, Optional.empty()));
        assertThat(told(new DeoptimisationLog(), "10.000", "Deoptimization events (0 events):\nNo events\n"))
                .isEqualTo(new Deoptimisations(0, 10_001_000_000L, true, 0, Optional.empty()));
    }

    @Test
    void whatWasToldBeforeIsNotToldAgain() {
        DeoptimisationLog log = new DeoptimisationLog();
        String all = text("deopt-25.0.3-turns");
        String begin = all.lines().limit(9).collect(Collectors.joining("\n"));
        long events = begin.lines().filter(line -> line.startsWith("Event: ")).count();
        begin = begin.replaceFirst("\\(\\d+ events\\)", "(" + events + " events)");
        assertThat(told(log, "11.400", begin).count()).isEqualTo(2);

        assertThat(told(log, "11.500", all))
                .as("the last one told before is still there, so none is forgotten")
                .isEqualTo(new Deoptimisations(
                        3,
                        101_000_000,
                        true,
                        0,
                        Optional.of(new Trap(
                                "unstable_if", "reinterpret", "dev.kiln.fixtures.faults.TrapMethod.applyAsLong@39"))));
        assertThat(told(log, "13.500", all))
                .isEqualTo(new Deoptimisations(0, 2_001_000_000, true, 0, Optional.empty()));
        assertThat(told(log, "15.500", all.replace("Event: 11.", "Event: 15.")).all())
                .as("others may have been forgotten")
                .isFalse();
    }

    /** The JVM's clock is the one that came with the least delay. */
    @Test
    void aLateAnswerOfTheClockCountsNoDeoptimisationsAsYounger() {
        DeoptimisationLog log = new DeoptimisationLog();
        assertThat(log.clock("11.000 s\n", 11_000_000_000L)).isTrue();
        assertThat(log.clock("11.400 s\n", 11_480_000_000L)).isTrue();
        assertThat(log.since(text("deopt-25.0.3-turns"), 11_500_000_000L)
                        .orElseThrow()
                        .withinNanos())
                .isEqualTo(135_000_000);
    }

    /** HotSpot cuts a line after 255 characters, and with it the end of a long signature and the place in the code. */
    @Test
    void aTrapInAMethodWithALongSignatureIsATrap() {
        String cut = """
                Deoptimization events (2 events):
                Event: 1.000 Thread 0x1 Uncommon trap: reason=null_check action=none pc=0x2 method=a.B.of(Ljava/lang/Str
                Event: 1.000 Thread 0x1 DEOPT PACKING pc=0x2 sp=0x3
                """;

        assertThat(told(new DeoptimisationLog(), "2.000", cut))
                .isEqualTo(new Deoptimisations(
                        1, 2_001_000_000L, true, 1, Optional.of(new Trap("null_check", "none", "a.B.of"))));
    }

    @Test
    void linesThatAreNotUnderstoodAreNoSignThatNothingHappened() {
        assertThat(new DeoptimisationLog().since("""
                                Deoptimization events (2 events):
                                Event 1: new
                                Event 2: new
                                """, 1)).isEmpty();
    }

    @Test
    void aForeignAnswerTellsOfNoDeoptimisations() {
        assertThat(new DeoptimisationLog().clock("Unknown diagnostic command\n", 1))
                .isFalse();
        assertThat(new DeoptimisationLog().since("The name \"deopt\" did not match any known event log.\n", 1))
                .isEmpty();
    }

    /** Kiln's clock is the JVM's here. */
    private static Deoptimisations told(DeoptimisationLog log, String now, String answer) {
        assertThat(log.clock(now + " s\n", nanos(now))).isTrue();
        return log.since(answer, nanos(now)).orElseThrow();
    }

    private static long nanos(String seconds) {
        return Long.parseLong(seconds.replace(".", "")) * 1_000_000;
    }

    private static String text(String name) {
        return new String(bytes(name), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String name) {
        try (InputStream in = DiagnosticTextTest.class.getResourceAsStream(name + ".txt")) {
            return Objects.requireNonNull(in, name).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
