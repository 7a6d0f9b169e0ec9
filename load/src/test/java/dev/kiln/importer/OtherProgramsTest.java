package dev.kiln.importer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.evidence.RunReader;
import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Format.ImportedRun;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.SystemLog;
import dev.kiln.importer.program.JmhLog;
import dev.kiln.importer.program.Renaissance;
import dev.kiln.importer.sysstat.Mpstat;
import dev.kiln.importer.sysstat.SysstatJson;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.CollectionSample;
import dev.kiln.model.run.Sample.FullCollections;
import dev.kiln.model.run.Sample.MemorySample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Files of benchmarks, of tools that watch a system, and of a collector. */
class OtherProgramsTest extends ProgramFiles {
    /** JMH 1.37: two benchmarks of which one has modes without a rate, two parameters, two forks, two threads. */
    @Test
    void jmhsTextLogHasTheWarmUp() {
        List<String> leftOut = new ArrayList<>();
        Path log = Recorded.sample("jmh-1.37.log");
        List<ImportedRun> runs = runs(log, leftOut);

        assertThat(format(log)).isEqualTo(JmhLog.FORMAT);
        assertThat(runs)
                .extracting(ImportedRun::variant)
                .containsExactly(
                        "b.Bench.sin-p=1",
                        "b.Bench.sin-p=1",
                        "b.Bench.sin-p=2",
                        "b.Bench.sin-p=2",
                        "b.Bench.sin-p=1-avgt",
                        "b.Bench.sin-p=1-avgt",
                        "b.Bench.sin-p=2-avgt",
                        "b.Bench.sin-p=2-avgt");
        assertThat(runs).extracting(ImportedRun::run).containsExactly(1, 2, 1, 2, 1, 2, 1, 2);
        LoadSource load = runs.getFirst().loads().getFirst();
        Recorded first = Recorded.of(load);
        assertThat(first.phases).containsExactly("warmup", "iterations");
        assertThat(load.bins().nanos()).isEqualTo(SECOND / 5);
        assertThat(completed(first)).startsWith(Math.round(17.184e6 * 0.2)).hasSize(6);
        assertThat(leftOut).anyMatch(why -> why.contains("b.Bench.cos-p=1 is in JMH's mode 'Sampling time"));
    }

    @Test
    void jmhsMeanTimesInTextAreOfEachThread() throws IOException {
        Path log = file("j.log", """
                # JMH version: 1.37
                # Warmup: 1 iterations, 10 s each
                # Measurement: 2 iterations, 10 s each
                # Threads: 4 threads, will synchronize iterations
                # Benchmark mode: Average time, time/op
                # Benchmark: a.B.c

                # Fork: 1 of 1
                # Warmup Iteration   1: 4.000 ±(99.9%) 0.100 ms/op
                Iteration   1: 2.000 ±(99.9%) 0.100 ms/op
                Iteration   2: 2,000 ms/op
                """);

        assertThat(completed(Recorded.of(
                        runs(log, new ArrayList<>()).getFirst().loads().getFirst())))
                .containsExactly(10_000L, 20_000L, 20_000L);
    }

    /** JMH runs whole operations until the time is over: none of 700 ms is lost in an iteration of 100 ms. */
    @Test
    void anIterationOfFewOperationsLastsAsLongAsTheyTook() throws IOException {
        Path log = file("j.log", """
                # JMH version: 1.37
                # Warmup: 2 iterations, 100 ms each
                # Measurement: 2 iterations, 100 ms each
                # Threads: 1 thread, will synchronize iterations
                # Benchmark mode: Average time, time/op
                # Benchmark: a.B.c
                # Fork: 1 of 1
                # Warmup Iteration   1: 700.000 ms/op
                # Warmup Iteration   2: 640.000 ms/op
                Iteration   1: 30.000 ms/op
                Iteration   2: 0.010 ms/op
                """);

        LoadSource load = runs(log, new ArrayList<>()).getFirst().loads().getFirst();
        Recorded recorded = Recorded.of(load);

        assertThat(completed(recorded)).containsExactly(1L, 1L, 4L, 10_000L);
        assertThat(recorded.rows)
                .extracting(row -> (row.endNanos() - row.startNanos()) / 1_000_000)
                .containsExactly(700L, 640L, 120L, 100L);
        assertThat(load.bins().nanos()).isEqualTo(700_000_000L);
        assertThat(load.span().length()).isEqualTo(1_560_000_000L);
    }

    @Test
    void renaissancesRepetitionsAreIterations() throws IOException {
        Path csv = file("r.csv", """
                benchmark,duration_ns,uptime_ns,vm_start_unix_ms
                scrabble,911379929,2515700351,1636206612905
                scrabble,529459711,3750527761,1636206612905
                als,2000000000,5000000000,1636206612905
                """);
        Path json = file("r.json", """
                {"format_version":5,"benchmarks":["scrabble"],"data":{"scrabble":{"results":[
                {"duration_ns":911379929,"uptime_ns":2515700351},{"duration_ns":529459711,"uptime_ns":3750527761}],
                "termination":"normal"}}}
                """);

        assertThat(format(csv)).isEqualTo(Renaissance.CSV);
        assertThat(format(json)).isEqualTo(Renaissance.JSON);
        assertThat(runs(csv, new ArrayList<>()))
                .extracting(ImportedRun::variant)
                .containsExactly("scrabble", "als");
        for (Path file : List.of(csv, json)) {
            Recorded run =
                    Recorded.of(runs(file, new ArrayList<>()).getFirst().loads().getFirst());
            assertThat(run.rows)
                    .extracting(row -> row.endNanos() - row.startNanos())
                    .containsExactly(911_379_929L, 529_459_711L);
            assertThat(completed(run)).containsExactly(1L, 1L);
        }
    }

    /** sysstat 12.6.1 of one recording, in its two forms. */
    @Test
    void sarAndSysstatsJsonSayTheSame() {
        Path sar = Recorded.sample("sar-12.6.1.txt");
        Path json = Recorded.sample("sadf-12.6.1.json");

        assertThat(format(sar)).isEqualTo(Mpstat.FORMAT);
        assertThat(format(json)).isEqualTo(SysstatJson.FORMAT);
        assertThat(log(json).cpus).hasSize(8).isEqualTo(log(sar).cpus);
        // The first row: CPU 0 was never idle, and nothing was taken from it.
        assertThat(log(sar).cpus.getFirst().busyNanos()).isEqualTo(SECOND);
        assertThat(log(Recorded.sample("mpstat-12.6.1.json")).cpus).hasSize(6);
    }

    @Test
    void otherTablesAndRestartsOfSarArePassedOver() throws IOException {
        Path sar = file("sar.txt", """
                Linux 6.1.0 (lab) \t2026-06-02 \t_x86_64_\t(1 CPU)

                17:00:00        CPU     %user     %nice   %system   %iowait    %steal     %idle
                17:00:10          0     25.00      0.00     25.00      0.00      0.00     50.00
                17:00:20          0     25.00      0.00     25.00      0.00      0.00     50.00

                17:00:00       proc/s   cswch/s
                17:00:10         1.00    100.00

                17:00:00        IFACE   rxpck/s   txpck/s   %ifutil
                17:00:10         eth0      1.00      1.00      0.00

                17:00:25     LINUX RESTART\t(1 CPU)
                Durchschn.:       CPU     %user     %nice   %system   %iowait    %steal     %idle
                Durchschn.:         0     25.00      0.00     25.00      0.00      0.00     50.00
                """);

        assertThat(log(sar).cpus).extracting(cpu -> cpu.busyNanos()).containsExactly(5 * SECOND, 10 * SECOND);
    }

    /** JDK 25.0.3, three pauses. */
    @Test
    void pausesOfACollectorAreEvidence() throws IOException {
        Path run = Files.createDirectories(folder.resolve("a-1"));
        Files.copy(Recorded.sample("gc-25.0.3.log"), run.resolve("gc.log"));
        StringBuilder csv = new StringBuilder("time,requests\n");
        for (int i = 0; i < 30; i++) {
            csv.append(1_795_716_130L + i).append(",100\n");
        }
        Files.writeString(run.resolve("load.csv"), csv);
        Path out = folder.resolve("out");

        new Importer("test", Texts.options(), line -> {}).run(List.of(run), "x", () -> out);

        RunEvidence evidence = RunReader.read(out.resolve("a").resolve("1"));
        assertThat(evidence.memory()).extracting(MemorySample::collections).containsExactly(1L, 2L, 3L);
        assertThat(evidence.memory().getLast().collectionNanos()).isEqualTo(21_385_000 + 8_388_000 + 13_955_000);
        assertThat(evidence.memory().getLast().generations().orElseThrow().full())
                .isEqualTo(1);
        assertThat(evidence.collections())
                .extracting(CollectionSample::cause)
                .containsExactly("G1 Evacuation Pause", "G1 Evacuation Pause", "System.gc()");
        assertThat(evidence.collections())
                .extracting(row -> row.full().orElseThrow())
                .containsExactly(
                        new FullCollections(0, 0), new FullCollections(0, 0), new FullCollections(1, 13_955_000));
        assertThat(evidence.info().provenance().orElseThrow().sources()).contains("-Xlog:gc");
    }

    @Test
    void aLogOfACollectorWithoutATimeOfDayIsLeftOutWithAWayOut() throws IOException {
        Path gc = file(
                "gc.log",
                "[0.002s][info][gc] Using G1\n[0.748s][info][gc] GC(0) Pause Young (Normal) 15M->4M(128M) 1.385ms\n");
        Format.OneLog log = (Format.OneLog) format(gc).content();

        assertThat(log.of().apply(gc, Texts.options())).isEmpty();
        assertThat(log.without().apply(gc)).contains("-Xlog:gc:file=gc.log:time");
    }

    @Test
    void logsOfCpusAreOfOneKindEach() {
        SystemLog sar = Mpstat.of(Recorded.sample("sar-12.6.1.txt")).orElseThrow();

        assertThat(sar.what()).isEqualTo("sar");
        assertThat(sar.machine().cpus()).hasValue(2);
    }
}
