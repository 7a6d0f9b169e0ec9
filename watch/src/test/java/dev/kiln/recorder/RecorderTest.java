package dev.kiln.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.evidence.EvidenceSink;
import dev.kiln.evidence.RunWriter;
import dev.kiln.host.process.PinnedProcess;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A recorder of any program. */
class RecorderTest extends OnABench {
    @Test
    void theTargetsDeathIsNoError() throws Exception {
        PinnedProcess target = bench.launch(List.of("sleep", "1000"));
        try (RunWriter writer = bench.writer()) {
            Recorder recorder = Recorder.start(RecorderBench.spec(target), writer);
            bench.awaitRecorded(writer, target, run -> !run.threads().isEmpty());
            target.stop(Duration.ZERO);
            Thread.sleep(150);
            assertThat(recorder.stop().failure()).isEmpty();
        }
        RunEvidence evidence = bench.read();
        assertThat(evidence.threads()).isNotEmpty();
        assertThat(evidence.gaps()).containsExactly("load.csv: missing", "latency.hlog: missing");
    }

    @Test
    void aNativeProgramIsRecordedButForTheJvm() throws Exception {
        PinnedProcess target = bench.launch(List.of("sleep", "1000"));
        Recording.RecordingResult result = bench.record(
                target, RecorderBench.spec(target), run -> run.memory().size() > 1);
        assertThat(result.notRecorded())
                .anyMatch(gap -> gap.what().startsWith("JIT") && gap.why().contains("no HotSpot JVM"));
        assertThat(bench.read().memory()).isNotEmpty();
        assertThat(bench.read().compiler()).isEmpty();
    }

    @Test
    void aFullDiskEndsTheRecordingWithAReason() throws Exception {
        PinnedProcess target = bench.launch(List.of("sleep", "1000"));
        RunWriter writer = new RunWriter(bench.run());
        try {
            writer.close(); // as good as full: nothing can be written any more
            Recorder recorder = Recorder.start(RecorderBench.spec(target), writer);
            while (recorder.isRecording()) {
                Thread.sleep(20);
            }
            assertThat(recorder.stop().failure()).isPresent();
        } finally {
            target.stop(Duration.ZERO);
        }
    }

    /** Such as no memory left: without a word the run would count as complete, with cut evidence. */
    @Test
    void anErrorInTheRecordersThreadIsTold() throws Exception {
        PinnedProcess target = bench.launch(List.of("sleep", "1000"));
        EvidenceSink broken = new EvidenceSink() {
            @Override
            public void append(Sample sample) {
                throw new OutOfMemoryError("no memory left");
            }

            @Override
            public void flush() {}
        };
        try {
            Recorder recorder = Recorder.start(RecorderBench.spec(target), broken);
            while (recorder.isRecording()) {
                Thread.sleep(20);
            }
            assertThatThrownBy(recorder::stop)
                    .hasMessage("the recorder failed: java.lang.OutOfMemoryError: no memory left");
        } finally {
            target.stop(Duration.ZERO);
        }
    }
}
