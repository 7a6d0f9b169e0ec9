package dev.kiln.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.KilnException;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample;
import dev.kiln.model.run.Sample.CpuSample;
import dev.kiln.model.run.Sample.MemorySample;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import dev.kiln.model.run.Sample.ThreadState;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.node.ObjectNode;

class RunReaderTest {
    private static final String HEADER = "time_ns,tid,name,role,cpu_ns,wait_ns,slices,voluntary,involuntary\n";
    private static final String ROW = "1000,1,java,OTHER,5,6,7,8,9\n";

    @TempDir
    Path directory;

    @BeforeEach
    void run() {
        try (RunWriter writer = new RunWriter(directory)) {
            writer.write(Samples.info("spring", 1, 1000));
        }
        Samples.load(directory);
    }

    private RunEvidence threads(String text) throws Exception {
        Files.writeString(directory.resolve("threads.csv"), text);
        return RunReader.read(directory);
    }

    @ParameterizedTest
    @CsvSource({"command, [null]", "environment, {\"X\": null}", "variants, [null]"})
    void nothingInAListOfRunJsonMakesItDamaged(String field, String value) throws Exception {
        Path run = directory.resolve("run.json");
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode json = (ObjectNode) mapper.readTree(Files.readString(run));
        assertThat(json.has(field)).isTrue();
        json.set(field, mapper.readTree(value));
        Files.writeString(run, json.toString());
        assertThatThrownBy(() -> RunReader.read(directory))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("run.json");
    }

    @Test
    void aLastLineCutShortIsAGapEvenIfItLooksWhole() throws Exception {
        RunEvidence read = threads(HEADER + ROW + "2000,1,java,OTHER,5,6,7,8,9");
        assertThat(read.threads()).hasSize(1);
        assertThat(read.gaps()).containsExactly("threads.csv:3: cut short");
    }

    @Test
    void garbageInTheMiddleCostsOnlyItsLine() throws Exception {
        RunEvidence read = threads(HEADER + ROW + "\0\0\0\0\n" + "1,2,x,OTHER,five,6,7,8,9\n" + "-1" + ROW + ROW);
        assertThat(read.threads()).hasSize(2);
        assertThat(read.gaps())
                .containsExactly(
                        "threads.csv:3: 1 fields where 9 were expected",
                        "threads.csv:4: 'five' is not a whole number",
                        "threads.csv:5: '-11000' is negative");
    }

    @Test
    void columnsMayMoveAndUnknownOnesAreLeftAside() throws Exception {
        RunEvidence read = threads("""
                tid,new,time_ns,name,role,cpu_ns,wait_ns,slices,voluntary,involuntary
                1,?,1000,java,FUTURE_ROLE,5,6,7,8,9
                """);
        assertThat(read.threads())
                .containsExactly(
                        new ThreadSample(1000, 1, "java", ThreadRole.OTHER, 5, 6, 7, 8, 9, ThreadState.NOT_RECORDED));
        assertThat(read.gaps()).isEmpty();
    }

    @Test
    void aStateThatOnlyALaterVersionKnowsIsAnother() throws Exception {
        RunEvidence read = threads(HEADER.strip() + ",state\n"
                + Stream.of("D", "", "X")
                        .map(state -> ROW.strip() + "," + state + "\n")
                        .collect(Collectors.joining()));
        assertThat(read.threads())
                .extracting(ThreadSample::state)
                .containsExactly(ThreadState.UNINTERRUPTIBLE, ThreadState.NOT_RECORDED, ThreadState.OTHER);
    }

    @Test
    void aMissingColumnCostsTheTable() throws Exception {
        RunEvidence read = threads("time_ns,tid\n1,2\n");
        assertThat(read.threads()).isEmpty();
        assertThat(read.gaps()).containsExactly("threads.csv:1: no column name");
    }

    /** As earlier Kilns wrote it, and as it is where the new columns say nothing. */
    @Test
    void columnsThatCameLaterAreEmptyWhereTheyAreMissing() throws Exception {
        Path parts = directory.resolve("parts.csv");
        Path memory = directory.resolve("memory.csv");
        PartSample part = new PartSample(1, "target", 2, 3, Optional.empty());
        MemorySample sample =
                new MemorySample(1, 2, 0, 3, 4, 5, 6, OptionalLong.empty(), Optional.empty(), Optional.empty());
        String before = "time_ns,rss_bytes,pss_bytes,collections,collection_ns,safepoints,safepoint_ns";
        Files.writeString(parts, "time_ns,part,cpu_ns,wait_ns\n1,target,2,3\n");
        Files.writeString(memory, before + "\n1,2,,3,4,5,6\n");
        Path cpus = directory.resolve("cpus.csv");
        Files.writeString(cpus, "time_ns,cpu,busy_ns,idle_ns,steal_ns\n1,0,2,3,4\n");
        RunEvidence old = RunReader.read(directory);
        Files.writeString(parts, "system_ns,user_ns,time_ns,part,cpu_ns,wait_ns\n,,1,target,2,3\n4,5,1,target,9,3\n");
        Files.writeString(
                memory,
                before
                        + ",young_collections,full_collections,full_collection_ns,major_faults,minor_faults,to_safepoint_ns\n"
                        + "1,2,,3,4,5,6,,,,,,\n2,2,,3,4,5,6,,,,0,9,7\n");
        Files.writeString(cpus, "time_ns,cpu,busy_ns,idle_ns,steal_ns,softirq_ns\n1,0,2,3,4,\n2,0,2,3,4,0\n");
        RunEvidence silent = RunReader.read(directory);

        assertThat(old.parts()).containsExactly(part);
        assertThat(old.memory()).containsExactly(sample);
        assertThat(old.gaps()).isEmpty();
        assertThat(silent.parts())
                .containsExactly(part, new PartSample(1, "target", 9, 3, Optional.of(new PartSample.Modes(5, 4))));
        assertThat(old.cpus()).containsExactly(new CpuSample(1, 0, 2, 3, 4, OptionalLong.empty()));
        assertThat(silent.memory())
                .containsExactly(
                        sample,
                        new MemorySample(
                                2,
                                2,
                                0,
                                3,
                                4,
                                5,
                                6,
                                OptionalLong.of(7),
                                Optional.empty(),
                                Optional.of(new Sample.PageFaults(9, 0))));
        assertThat(silent.cpus())
                .containsExactly(
                        new CpuSample(1, 0, 2, 3, 4, OptionalLong.empty()),
                        new CpuSample(2, 0, 2, 3, 4, OptionalLong.of(0)));
        assertThat(silent.gaps()).isEmpty();
    }

    @Test
    void aMissingTableIsAGap() throws Exception {
        Files.delete(directory.resolve("cgroup.csv"));
        assertThat(RunReader.read(directory).gaps()).containsExactly("cgroup.csv: missing");
    }

    @Test
    void gapsOfTheLoadsFilesAreNamedLikeTheOthers() throws Exception {
        Files.writeString(directory.resolve("load.csv"), Files.readString(directory.resolve("load.csv")) + "warm-up,1");
        Files.delete(directory.resolve("latency.hlog"));
        RunEvidence read = RunReader.read(directory);
        assertThat(read.load()).containsExactly(Samples.BIN);
        assertThat(read.latency().seconds()).isEmpty();
        assertThat(read.gaps()).hasSize(2).element(0).asString().startsWith("load.csv:3: ");
        assertThat(read.gaps()).element(1).isEqualTo("latency.hlog: missing");
    }

    @Test
    void manyGapsAreToldInFewLines() throws Exception {
        RunEvidence read = threads(HEADER + "x\n".repeat(1000));
        assertThat(read.gaps()).hasSize(6).last().isEqualTo("threads.csv: 995 more lines left out");
    }

    @Test
    void noCutAtAnyByteGivesAFigureThatWasNotWritten() throws Exception {
        byte[] whole = (HEADER + ROW + "2000,2,\"a,b\",C2,15,16,17,18,19\n").getBytes(StandardCharsets.UTF_8);
        RunEvidence all = threads(new String(whole, StandardCharsets.UTF_8));
        for (int size = 0; size < whole.length; size++) {
            byte[] cut = Arrays.copyOf(whole, size);
            Files.write(directory.resolve("threads.csv"), cut);
            assertThat(all.threads()).containsAll(RunReader.read(directory).threads());
        }
    }

    @Test
    void randomBytesNeverCrashTheReader() throws Exception {
        Random random = new Random(42);
        for (int i = 0; i < 50; i++) {
            byte[] garbage = new byte[random.nextInt(2000)];
            random.nextBytes(garbage);
            Files.write(directory.resolve("memory.csv"), garbage);
            assertThat(RunReader.read(directory).memory()).isEmpty();
        }
    }

    @Test
    void aNewerFormatIsRefused() throws Exception {
        Path json = directory.resolve("run.json");
        String text = Files.readString(json).replace("\"schemaVersion\" : 1", "\"schemaVersion\" : 2");
        Files.writeString(json, text);
        assertThatThrownBy(() -> RunReader.read(directory))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("evidence format 2");
    }

    @Test
    void anUnknownFieldOfRunJsonIsLeftAsideAndAMissingOptionalIsEmpty() throws Exception {
        Path json = directory.resolve("run.json");
        String text = Files.readString(json)
                .replace("\"schemaVersion\"", "\"colour\" : [1, 2], \"schemaVersion\"")
                .replaceAll("\"outcomeDetail\" : null,\\s*", "")
                .replaceAll("\"firstResponseNanos\" : null,\\s*", "");
        assertThat(text).doesNotContain("firstResponseNanos").doesNotContain("outcomeDetail");
        Files.writeString(json, text);
        assertThat(RunReader.info(directory)).isEqualTo(Samples.info("spring", 1, 1000));
    }

    private void phase(long begin, long end) throws Exception {
        Path json = directory.resolve("run.json");
        Files.writeString(
                json,
                Files.readString(json)
                        .replaceFirst("(\"startNanos\"\\s*:\\s*)\\d+", "$1" + begin)
                        .replaceFirst("(\"endNanos\"\\s*:\\s*)null", "$1" + end));
    }

    /** Each second of a phase is looked at, and the difference of far times is no time. */
    @ParameterizedTest
    @CsvSource({
        "-1152921504606846976, 9223372036854775807",
        "-9223372036854775808, 0",
        "9223372036854775807, 9223372036854775807",
        "1000, 999",
        "0, 31708800000000000",
    })
    void aPhaseOutOfAllTimeIsRefused(long begin, long end) throws Exception {
        phase(begin, end);
        assertThatThrownBy(() -> RunReader.read(directory))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining(
                        "run.json: phase warm-up begins at no time of a run, ends before it begins, or lasts"
                                + " over 366 days");
    }

    @Test
    void aLoadAsLongAsAnExperimentCanAskForIsRead() throws Exception {
        long year = 31_536_000_000_000_000L;
        phase(1000, 1000 + year);
        assertThat(RunReader.read(directory).info().phases().getFirst().endNanos())
                .hasValue(1000 + year);
    }

    @Test
    void aRunJsonWithoutWhatMattersIsRefused() throws Exception {
        for (String json : new String[] {"", "{}", "[1]", "{\"schemaVersion\":1}", "\0\0", "{\"schemaVersion\":1,"}) {
            Files.writeString(directory.resolve("run.json"), json);
            assertThatThrownBy(() -> RunReader.read(directory)).isInstanceOf(KilnException.class);
        }
    }
}
