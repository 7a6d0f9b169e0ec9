package dev.kiln.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.evidence.RunWriter;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.PinnedProcess;
import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.Sample.JitSample;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a real JVM answers about its JIT compilers while it is recorded. */
@Timeout(300)
class RecorderJitIT extends OnABench {
    @ParameterizedTest
    @MethodSource("dev.kiln.recorder.RecorderBench#jdks")
    void aJvmIsAskedForQueuesLevelsCodeCacheAndDeoptimisations(Jdk jdk) throws Exception {
        PinnedProcess target = bench.launchBusy(jdk);
        Recording.RecordingResult result = bench.record(
                target,
                RecorderBench.asking(target),
                run -> run.jit().stream().filter(j -> j.c2Queue().isPresent()).count() > 1
                        && run.jit().stream().anyMatch(j -> j.levels().isPresent())
                        && run.jit().stream().anyMatch(j -> j.codeCache().isPresent())
                        && run.jit().stream().anyMatch(j -> j.deoptimisations().isPresent()));
        // Nor is a JVM taken for a mere interpreter that had no compilers yet when it was asked first.
        assertThat(result.notRecorded()).extracting(NotRecorded::what).noneMatch(what -> what.contains("queue"));
        List<JitSample> jit = bench.read().jit();
        assertThat(jit).extracting(JitSample::timeNanos).isSorted();
        assertThat(jit)
                .filteredOn(j -> j.c2Queue().isPresent())
                .allMatch(j -> j.c1Queue().isPresent());
        assertThat(jit).anyMatch(j -> j.levels().isPresent());
        assertThat(jit)
                .flatExtracting(j -> j.deoptimisations().stream().toList())
                .as("time goes on from question to question")
                .isNotEmpty()
                .allMatch(last -> last.withinNanos() > 0);
        assertThat(jit)
                .flatExtracting(j -> j.codeCache().stream().toList())
                .isNotEmpty()
                .allMatch(cache -> cache.usedBytes() > 0 && cache.usedBytes() <= cache.sizeBytes());
        assertThat(bench.output()).doesNotContain("Full thread dump");
    }

    @Test
    void aJvmThatCannotBeAskedIsAGapWithItsReason() throws Exception {
        PinnedProcess target = bench.launchBusy(JdkFinder.current(), "-XX:+DisableAttachMechanism");
        bench.awaitOutput();
        Recording.RecordingResult result = bench.record(
                target, RecorderBench.asking(target), run -> run.compiler().size() > 1);
        assertThat(result.notRecorded())
                .contains(new NotRecorded(
                        "compile queues, methods by level and code cache",
                        "the JVM runs with -XX:+DisableAttachMechanism"));
        assertThat(bench.read().jit()).isEmpty();
        assertThat(bench.read().compiler()).isNotEmpty();
    }

    @Test
    void anInterpreterHasNoQueuesButACodeCache() throws Exception {
        PinnedProcess target = bench.launchBusy(JdkFinder.current(), "-Xint");
        Recording.RecordingResult result = bench.record(
                target,
                RecorderBench.asking(target),
                run -> run.jit().stream().anyMatch(j -> j.codeCache().isPresent()));
        assertThat(result.notRecorded())
                .contains(new NotRecorded("compile queues", "the JVM has no compilers: it only interprets"));
    }

    @Test
    void aJvmThatHangsIsAskedAgainLaterAndTheGapIsTold() throws Exception {
        PinnedProcess target = bench.launchBusy(JdkFinder.current());
        List<NotRecorded> gaps;
        try (RunWriter writer = bench.writer()) {
            bench.awaitOutput();
            Duration rest = Duration.ofMillis(100);
            RecorderContext context = new RecorderContext(ProcFs.ofThisMachine(), RecorderBench.asking(target), writer);
            try (RecorderJit jit = new RecorderJit(context, Duration.ofMillis(300), rest)) {
                jit.start();
                awaitJit(writer, target, 3);
                RecorderBench.signal("STOP", target);
                // Longer than until the next question and the patience for its answer.
                Thread.sleep(3_000);
                RecorderBench.signal("CONT", target);
                awaitJit(writer, target, bench.read().jit().size() + 1);
            }
            gaps = context.gaps();
        } finally {
            target.stop(Duration.ZERO);
        }
        assertThat(gaps).singleElement().satisfies(gap -> {
            assertThat(gap.what()).isEqualTo("compile queues, methods by level and code cache, at times");
            assertThat(gap.why()).matches("\\d+ of \\d+ questions unanswered: the JVM did not answer within 0.3 s");
        });
    }

    private void awaitJit(RunWriter writer, PinnedProcess target, int rows) throws Exception {
        bench.awaitRecorded(writer, target, run -> run.jit().size() >= rows);
    }

    @Test
    void theEndDoesNotWaitForAJvmThatHangs() throws Exception {
        PinnedProcess target = bench.launchBusy(JdkFinder.current());
        RunWriter writer = new RunWriter(bench.run());
        RecorderContext context = new RecorderContext(ProcFs.ofThisMachine(), RecorderBench.asking(target), writer);
        try {
            bench.awaitOutput();
            RecorderBench.signal("STOP", target);
            Duration day = Duration.ofDays(1);
            RecorderJit jit = new RecorderJit(context, day, day);
            jit.start();
            Thread.sleep(200);
            jit.close();
            writer.close(); // whatever is written from here on fails
            RecorderBench.signal("CONT", target);
            Thread.sleep(300);
            assertThat(jit.failure()).isEmpty();
        } finally {
            writer.close();
            target.stop(Duration.ZERO);
        }
        assertThat(context.gaps())
                .extracting(NotRecorded::what)
                .containsExactly("compile queues, methods by level and code cache");
    }
}
