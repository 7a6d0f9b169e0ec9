package dev.kiln.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.evidence.RunReader;
import dev.kiln.importer.format.Format.ImportOptions;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.Latency.LatencyInterval;
import dev.kiln.model.run.RunEvidence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImporterTest {
    @TempDir
    private Path folder = Path.of("");

    private RunEvidence imported(Path path) {
        Path out = folder.resolve("out");
        assertThat(new Importer("test", Texts.options(), line -> {}).run(List.of(path), "x", () -> out))
                .isEqualTo(new Importer.Imported(out, true));
        return RunReader.read(out.resolve("a").resolve("1"));
    }

    @Test
    void quantilesWithoutAMaximumAreKept() throws IOException {
        RunEvidence evidence = imported(Files.writeString(folder.resolve("a-1.csv"), """
                phase,start_ms,end_ms,requests,p50_ns,p99_ns
                load,1780434089000,1780434090000,10,2000000,9000000
                load,1780434090000,1780434091000,10,2000000,8000000
                """));

        assertThat(evidence.gaps()).isEmpty();
        assertThat(evidence.latency().seconds())
                .extracting(LatencyInterval::maxNanos)
                .as("the highest that is known to have been reached")
                .containsExactly(9_000_000L, 8_000_000L);
    }

    @Test
    void aPackedLogIsNamedWithWhatUnpacksIt() throws IOException {
        Path log = folder.resolve("pidstat.log.bz2");
        Files.writeString(log, "BZh91AY&SY, and so on");

        assertThatThrownBy(() -> imported(log))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("pidstat.log.bz2 is compressed: unpack it with bunzip2");
    }

    @Test
    void ofTwoRecordingsOneIsReadAndTheOthersGapsAreNotItsOwn() throws IOException {
        Path run = Files.createDirectories(folder.resolve("a-1"));
        try (Recording recording = new Recording()) {
            recording.enable("jdk.CompilerStatistics").with("period", "endChunk");
            recording.start();
            recording.stop();
            recording.dump(run.resolve("first.jfr"));
        }
        byte[] whole = Files.readAllBytes(run.resolve("first.jfr"));
        Files.write(run.resolve("second.jfr"), Arrays.copyOf(whole, whole.length + 100));

        RunEvidence imported = imported(run);
        assertThat(imported.compiler()).as("the JIT's own counters").isNotEmpty();
        assertThat(imported.info().notes())
                .contains("1 more recordings of this run were left out: Kiln reads one")
                .noneMatch(note -> note.contains("second.jfr"));
    }

    /** What was imported, as {@code variant/run}, and what was said. */
    private List<String> runsOf(List<Path> paths, List<String> said) throws IOException {
        Path out = folder.resolve("out-" + said.hashCode() + paths.hashCode());
        new Importer("test", Texts.options(), said::add).run(paths, "x", () -> out);
        try (Stream<Path> runs = Files.walk(out, 2)) {
            return runs.filter(run -> Files.exists(run.resolve("run.json")))
                    .map(run -> out.relativize(run).toString())
                    .sorted()
                    .toList();
        }
    }

    private Path load(String file, long startSecond) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(Objects.requireNonNull(path.getParent()));
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            text.append(startSecond * 1_000_000 + i * 50_000L).append("\t200\t1500\n");
        }
        return Files.writeString(path, text);
    }

    @ParameterizedTest
    @CsvSource({
        "load/a-3.15-1.log, load/a-3.20-1.log, a-3.15/1, a-3.20/1",
        "load/a-3.15.1.Final-run1.log, load/a-3.15.1.Final-run2.log, a-3.15.1.Final/1, a-3.15.1.Final/2",
        "load/a-3.15.Final.x-1.series.csv, load/b-1.txt, a-3.15.Final.x/1, b/1",
        "load/sim-20260602090000123/simulation.log, load/sim-20260602091000456/simulation.log, sim/1, sim/2",
        "load/sim-1448222481647/x.log, load/sim-1448222999999/x.log, sim/1, sim/2",
        "load/sim-2026-06-02T09-00-00/x.log, load/sim-2026-06-03T09-00-00/x.log, sim/1, sim/2",
        "load/a/load.log, load/b/load.log, a/1, b/1",
        "load/a/x/load.log, load/b/x/load.log, a/1, b/1",
        "load/0000/load.log, load/0001/load.log, load/1, load/2",
        "load/2026-06-02/load.log, load/2026-06-03/load.log, load/1, load/2",
        "load/quarkus/sim-20260602090000123/a.log, load/spring/sim-20260602091000123/a.log, quarkus-sim/1, spring-sim/1",
        "load/run1/sim-20260602090000123/a.log, load/run2/sim-20260602091000123/a.log, sim/1, sim/2",
        "load/monday/sim-1.log, load/tuesday/sim-2.log, sim/1, sim/2",
        "load/jdk-21.log, load/jdk-25.log, jdk-21/1, jdk-25/1",
        "load/jdk-21/load.log, load/jdk-25/load.log, jdk-21/1, jdk-25/1",
        "load/jdk-21/run1/load.log, load/jdk-21/run2/load.log, jdk-21/1, jdk-21/2",
        "load/run1/jdk-21.log, load/run2/jdk-21.log, jdk-21/1, jdk-21/2",
        "load/shop/jdk-21.log, load/user/jdk-21.log, shop-jdk-21/1, user-jdk-21/1",
        "load/jdk-run21.log, load/jdk-run25.log, jdk/21, jdk/25",
        "load/jdk-run-21.log, load/jdk-run-25.log, jdk/21, jdk/25",
        "load/http-1-run1.log, load/http-2-run1.log, http-1/1, http-2/1",
        "load/a-0.log, load/a-1.log, a/1, a/2",
        "load/run1.log, load/run2.log, load/1, load/2",
        "load/jdk21.log, load/jdk25.log, jdk21/1, jdk25/1",
        "load/jdk21/run1.log, load/jdk25/run1.log, jdk21/1, jdk25/1",
        "load/a_1.log, load/a_2.log, a/1, a/2",
        "load/2026-06-02_09-00-00.log, load/2026-06-02_10-00-00.log, load/1, load/2",
        "load/a_run1.log, load/a_run2.log, a/1, a/2",
        "load/a-3.15.log, load/a-3.20.log, a-3.15/1, a-3.20/1",
        "load/v1.2.3.Final.log, load/v1.2.4.Final.log, v1.2.3.Final/1, v1.2.4.Final/1"
    })
    void runsOfDifferentNamesOrFoldersAreDifferentRuns(String one, String other, String first, String second)
            throws IOException {
        load(one, 1_780_390_800);
        load(other, 1_780_391_400);

        assertThat(runsOf(List.of(folder.resolve("load")), new ArrayList<>())).containsExactly(first, second);
    }

    @Test
    void filesNamedOneByOneOfDifferentFoldersAreDifferentRuns() throws IOException {
        Path one = load("quarkus/load.log", 1_780_390_800);
        Path other = load("spring/load.log", 1_780_391_400);

        assertThat(runsOf(List.of(one, other), new ArrayList<>())).containsExactly("quarkus/1", "spring/1");
    }

    @Test
    void loadsOfOneFolderAreOneRunAndThatIsSaid() throws IOException {
        load("spring/warmup.log", 1_780_390_800);
        load("spring/steady.log", 1_780_391_400);
        List<String> said = new ArrayList<>();

        assertThat(runsOf(List.of(folder.resolve("spring")), said)).containsExactly("spring/1");
        assertThat(said).contains("imported spring 1: 2 loads, one after the other");
    }

    @ParameterizedTest
    @CsvSource({
        "a_1 a_2 b_1, a/1 a/2 b/1, 1",
        "load1 load2, load/1 load/2, 1",
        "run1 run2, load/1 load/2, 0",
        "jdk21 jdk25, jdk21/1 jdk25/1, 0",
        "phase1 phase2, load/1, 0",
        "warmup steady, load/1, 0",
        "part_1 part_2, load/1, 0"
    })
    void aNumberAtTheEndCountsRunsUnlessItSaysOtherwise(String names, String runs, int doubts) throws IOException {
        List<String> said = new ArrayList<>();
        assertThat(runsOf(said, names.split(" ", -1))).containsExactly(runs.split(" ", -1));
        assertThat(said.stream().filter(line -> line.endsWith("if they are parts of one run")))
                .hasSize(doubts);
    }

    @Test
    void benchmarksOfTwoFilesHaveTheNamesOfTheFiles() throws IOException {
        String one =
                "[{\"jmhVersion\":\"1.37\",\"benchmark\":\"a.B.c\",\"mode\":\"thrpt\",\"measurementTime\":\"10 s\","
                        + "\"primaryMetric\":{\"scoreUnit\":\"ops/s\",\"rawData\":[[100.0,101.0]]}}]";
        for (String file : List.of("x/jdk21.json", "x/jdk25.json", "y/jdk21/jmh.json", "y/jdk25/jmh.json")) {
            Files.createDirectories(Objects.requireNonNull(folder.resolve(file).getParent()));
            Files.writeString(folder.resolve(file), one);
        }

        for (String lab : List.of("x", "y")) {
            assertThat(runsOf(List.of(folder.resolve(lab)), new ArrayList<>()))
                    .containsExactly("jdk21-a.B.c/1", "jdk25-a.B.c/1");
        }
    }

    @Test
    void runsOfTheSameNameInDifferentFoldersAreDifferentVariants() throws IOException {
        load("monday/spring-1.log", 1_780_390_800);
        load("tuesday/spring-1.log", 1_780_477_200);

        assertThat(runsOf(List.of(folder.resolve("monday"), folder.resolve("tuesday")), new ArrayList<>()))
                .containsExactly("monday-spring/1", "tuesday-spring/1");
    }

    private List<String> runsOf(List<String> said, String... names) throws IOException {
        long start = 1_780_390_800;
        for (String name : names) {
            load("load/" + name + ".log", start);
            start += 600;
        }
        return runsOf(List.of(folder.resolve("load")), said);
    }

    @Test
    void numbersThatCountNoRunsAreOfVariantsAndThatIsSaid() throws IOException {
        List<String> said = new ArrayList<>();
        assertThat(runsOf(said, "jdk-21", "jdk-25")).containsExactly("jdk-21/1", "jdk-25/1");
        assertThat(said)
                .contains(
                        "jdk-21, jdk-25 are variants, and no runs of jdk: numbers of runs begin with 0 or 1, and few are missing. If"
                                + " they are runs, name them jdk-run21 and so on");
    }

    @Test
    void thatIsSaidOfOneNameToo() throws IOException {
        List<String> said = new ArrayList<>();
        assertThat(runsOf(said, "spring-3")).containsExactly("spring-3/1");
        assertThat(said)
                .contains(
                        "spring-3 is a variant, and no run of spring: numbers of runs begin with 0 or 1. If it is run 3, name it"
                                + " spring-run3");
    }

    @Test
    void aNameThatSaysItsRunLendsItsNumberToNoOther() throws IOException {
        List<String> said = new ArrayList<>();
        assertThat(runsOf(said, "jdk-21", "jdk-run25")).containsExactly("jdk-21/1", "jdk/25");
        assertThat(said)
                .anyMatch(line -> line.startsWith("jdk-21 is a variant, and no run of jdk")
                        && line.endsWith("If it is run 21, name it jdk-run21"));
    }

    @Test
    void aRunMayBeMissing() throws IOException {
        List<String> said = new ArrayList<>();
        assertThat(runsOf(said, "a-1", "a-2", "a-3", "b-2", "b-3")).containsExactly("a/1", "a/2", "a/3", "b/2", "b/3");
        assertThat(said).anyMatch(line -> line.startsWith("b-2, b-3 are runs of b, of which some are missing."));
    }

    /** As in a published lab, whose second run of a variant is not there. */
    @Test
    void aGapIsSaid() throws IOException {
        List<String> said = new ArrayList<>();
        assertThat(runsOf(said, "jvm-0", "jvm-2")).containsExactly("jvm/1", "jvm/3");
        assertThat(said)
                .contains(
                        "jvm-0, jvm-2 are runs of jvm, of which some are missing. If they are variants, name them jvm-0-run1 and so"
                                + " on");
    }

    @Test
    void powersOfTwoCountNoRuns() throws IOException {
        assertThat(runsOf(new ArrayList<>(), "threads-1", "threads-2", "threads-4"))
                .containsExactly("threads-1/1", "threads-2/1", "threads-4/1");
    }

    @Test
    void norDoTheyWhereOthersHaveTheseNumbersAsRuns() throws IOException {
        List<String> said = new ArrayList<>();
        assertThat(runsOf(said, "s-1", "s-2", "s-3", "s-4", "threads-1", "threads-2", "threads-4"))
                .containsExactly("s/1", "s/2", "s/3", "s/4", "threads-1/1", "threads-2/1", "threads-4/1");
        assertThat(said)
                .anyMatch(line ->
                        line.startsWith("threads-1, threads-2, threads-4 are variants, and no runs of threads"));
    }

    @Test
    void aNameForAllOfThemMakesThemRuns() throws IOException {
        Path one = load("jdk-21.log", 1_780_390_800);
        Path other = load("jdk-25.log", 1_780_391_400);
        List<String> said = new ArrayList<>();
        Path out = folder.resolve("named");
        ImportOptions named = new ImportOptions(
                Optional.empty(), OptionalInt.empty(), Optional.empty(), Optional.of("all"), Optional.empty());
        new Importer("test", named, said::add).run(List.of(one, other), "x", () -> out);
        assertThat(said).containsExactly("imported all 1", "imported all 2");
    }

    @Test
    void underOneNameARunWithoutANumberTakesOneThatIsFree() throws IOException {
        List<Path> loads = List.of(
                load("other-7.log", 1_780_392_000), load("run-1.log", 1_780_390_800), load("run-2.log", 1_780_391_400));
        List<String> said = new ArrayList<>();
        ImportOptions named = new ImportOptions(
                Optional.empty(), OptionalInt.empty(), Optional.empty(), Optional.of("base"), Optional.empty());
        new Importer("test", named, said::add).run(loads, "x", () -> folder.resolve("base"));
        assertThat(said).containsExactlyInAnyOrder("imported base 1", "imported base 2", "imported base 3");
    }

    /** The log of a machine lay in the folder of both, and was taken for one of them. */
    @Test
    void aLogInTheFolderOfSeveralRunsIsOfNone() throws IOException {
        Files.createDirectories(folder.resolve("load"));
        Files.copy(Recorded.sample("vmstat-4.0.2-t.txt"), folder.resolve("load/vmstat.log"));
        List<String> said = new ArrayList<>();
        runsOf(said, "jdk-21", "jdk-25");
        assertThat(said).anyMatch(line -> line.endsWith("vmstat.log: its path has the name of no run"));
    }
}
