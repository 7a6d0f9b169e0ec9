package dev.kiln.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Format.ImportedRun;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.program.AbSummary;
import dev.kiln.importer.program.GcLog;
import dev.kiln.importer.program.HeySummary;
import dev.kiln.importer.program.JMeterCsv;
import dev.kiln.importer.program.JMeterXml;
import dev.kiln.importer.program.VegetaJson;
import dev.kiln.importer.sysstat.Mpstat;
import dev.kiln.importer.sysstat.SysstatJson;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Sample.CpuSample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What settings and versions make of the files of known programs. */
class SettingsAndVersionsTest extends ProgramFiles {
    /** {@code -Xlog:gc*:file=gc.log:time,uptime} leaves out the tags. */
    @Test
    void aCollectorsLogNeedsNoTags() throws IOException {
        Path gc = file("gc.log", """
                [2026-06-02T09:00:00.010+0000][0.010s] Using G1
                [2026-06-02T09:00:05.500+0000][5.510s] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 15M->4M(128M) 10.000ms
                [2026-06-02T09:00:06.500+0000][6.510s] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 15M->4M(128M) 10.000ms
                """);

        assertThat(format(gc)).isEqualTo(GcLog.FORMAT);
        assertThat(GcLog.of(gc).orElseThrow().span().length()).isEqualTo(SECOND + 10_000_000);
    }

    /** sysstat 10.1.5, as of RHEL 7, has a row of zeros for such a CPU. */
    @Test
    void aCpuThatIsOfflineIsNotBusy() throws IOException {
        Path text = file("mpstat.txt", """
                Linux 3.10.0 (lab) \t2026-06-02 \t_x86_64_\t(2 CPU)

                09:00:00     CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle
                09:00:01     all   25.00    0.00    0.00    0.00    0.00    0.00    0.00    0.00    0.00   75.00
                09:00:01       0   25.00    0.00    0.00    0.00    0.00    0.00    0.00    0.00    0.00   75.00
                09:00:01       1    0.00    0.00    0.00    0.00    0.00    0.00    0.00    0.00    0.00    0.00
                09:00:02     all   25.00    0.00    0.00    0.00    0.00    0.00    0.00    0.00    0.00   75.00
                09:00:02       0   25.00    0.00    0.00    0.00    0.00    0.00    0.00    0.00    0.00   75.00
                09:00:02       1    0.00    0.00    0.00    0.00    0.00    0.00    0.00    0.00    0.00    0.00
                """);
        String cpus = "\"cpu-load\":[{\"cpu\":\"0\",\"user\":25.0,\"steal\":0.0,\"idle\":75.0},"
                + "{\"cpu\":\"1\",\"user\":0.0,\"steal\":0.0,\"idle\":0.0}]}";
        Path json = file(
                "sar.json",
                "{\"sysstat\":{\"hosts\":[{\"nodename\":\"lab\",\"date\":\"2026-06-02\",\"statistics\":["
                        + "{\"timestamp\":\"09:00:01\"," + cpus + ",{\"timestamp\":\"09:00:02\"," + cpus + "]}]}}");

        assertThat(format(text)).isEqualTo(Mpstat.FORMAT);
        assertThat(format(json)).isEqualTo(SysstatJson.FORMAT);
        for (Path file : List.of(text, json)) {
            assertThat(log(file).cpus).extracting(CpuSample::cpu).containsExactly(0, 0);
            assertThat(log(file).cpus).extracting(CpuSample::busyNanos).containsExactly(SECOND / 4, SECOND / 2);
        }
    }

    @Test
    void aSampleOfJmeterThatStandsForManyIsRefused() throws IOException {
        Path csv = file("a.jtl", """
                timeStamp,elapsed,label,responseCode,responseMessage,threadName,success,SampleCount,ErrorCount
                1780390800000,12,get,200,OK,tg 1-1,true,1,0
                1780390801000,1200,get,,,tg,true,100,0
                """);
        Path xml = file("a.xml", """
                <?xml version="1.0"?><testResults version="1.2">
                <statSample t="1200" ts="1780390801000" s="true" lb="get" sc="100" ec="0"/></testResults>
                """);

        assertThat(format(csv)).isEqualTo(JMeterCsv.FORMAT);
        assertThat(format(xml)).isEqualTo(JMeterXml.FORMAT);
        assertThatThrownBy(() -> load(csv))
                .hasMessageContaining("a.jtl:3: found a sample that stands for 100, as of JMeter's mode=Statistical");
        assertThatThrownBy(() -> load(xml)).hasMessageContaining("a.xml:2: found a sample that stands for 100");
    }

    @Test
    void samplesOfOneAreRequests() throws IOException {
        Path csv = file("a.jtl", """
                timeStamp,elapsed,label,success,SampleCount,ErrorCount
                1780390800000,12,get,true,1,0
                """);

        assertThat(load(csv).completed()).isEqualTo(1);
    }

    @Test
    void anOldJmhDidNotTellItsVersion() throws IOException {
        String one =
                "{\"benchmark\":\"a.B.%s\",\"mode\":\"thrpt\",\"threads\":1,\"forks\":1,\"measurementTime\":\"10 s\","
                        + "\"primaryMetric\":{\"score\":100.0,\"scoreUnit\":\"ops/s\"%s}}";
        Path json = file(
                "jmh.json",
                "[" + one.formatted("c", ",\"rawData\":[[100.0,110.0]]") + "," + one.formatted("d", "") + "]");
        List<String> leftOut = new ArrayList<>();
        List<ImportedRun> runs = runs(json, leftOut);

        assertThat(runs).extracting(ImportedRun::variant).containsExactly("a.B.c");
        assertThat(completed(Recorded.of(runs.getFirst().loads().getFirst()))).containsExactly(1000L, 1100L);
        assertThat(leftOut).singleElement().asString().endsWith("a.B.d has no score of an iteration (rawData)");
    }

    @Test
    void pointsOfK6WithoutAStatusAreNoFailures() throws IOException {
        String point =
                "{\"metric\":\"http_req_duration\",\"type\":\"Point\",\"data\":{\"time\":\"2026-06-02T09:00:00Z\","
                        + "\"value\":2.5,\"tags\":{%s}}}\n";
        Path expected = file("a.json", point.formatted("\"expected_response\":\"true\""));
        Path none = file("b.json", point.formatted("\"method\":\"GET\""));

        assertThat(load(expected).completed()).isEqualTo(1);
        assertThatThrownBy(() -> load(none))
                .hasMessageContaining("b.json:1: found a request without a status")
                .hasMessageContaining("--system-tags");
    }

    /** {@code vegeta dump}, as it was before {@code encode}, has no attack. */
    @Test
    void anOldVegetaDidNotNameItsAttack() throws IOException {
        Path json = file("a.json", """
                {"code":200,"timestamp":"2015-09-19T14:55:06.5+02:00","latency":5000000,"bytes_out":0,"bytes_in":12,"error":""}
                {"code":503,"timestamp":"2015-09-19T14:55:06.6+02:00","latency":5000000,"bytes_out":0,"bytes_in":12,"error":"503"}
                """);

        assertThat(format(json)).isEqualTo(VegetaJson.FORMAT);
        assertThat(load(json).completed()).isEqualTo(1);
        assertThat(load(json).failed()).isEqualTo(1);
    }

    /** oha takes its unit by the slowest request, or by --time-unit. */
    @ParameterizedTest
    @CsvSource({
        "3.0005,10 sec,1.5000,0.1250,0.9500,30005000000,15000000000,1250000000,9500000000",
        "0.5001,min,0.2500,0.0020,0.1000,30006000000,15000000000,120000000,6000000000",
        "0.0083,hr,0.0042,0.0001,0.0020,30006000000,15120000000,360000000,7200000000"
    })
    void ohasTimesMayBeMinutes(
            String total,
            String unit,
            String slowest,
            String half,
            String p99,
            long nanos,
            long max,
            long p50,
            long high)
            throws IOException {
        String text = """
                Summary:
                  Success rate:\t100.00%%
                  Total:\t%s %s
                  Slowest:\t%s %s
                  Requests/sec:\t666.8666

                Response time distribution:
                  50.00%% in %s %s
                  99.00%% in %s %s

                Status code distribution:
                  [200] 20000 responses

                Error distribution:
                  [10] aborted due to deadline
                """.formatted(total, unit, slowest, unit, half, unit, p99, unit);
        LoadSource load = summary(HeySummary.FORMAT, text);

        // Of minutes and hours the rate has more digits: 20,010 of 666.8666 a second.
        assertThat(load.span().length() / 1_000_000).isEqualTo(nanos / 1_000_000);
        assertThat(Recorded.of(load).totals).containsExactly(new Quantiles(20_000, p50, high, max));
    }

    /** ab 2.0 does not tell what it could not receive. */
    @Test
    void failuresOfAnOldAbAreRead() throws IOException {
        Recorded run = Recorded.of(summary(AbSummary.FORMAT, """
                This is ApacheBench, Version 2.0.40-dev <$Revision: 1.146 $> apache-2.0
                Time taken for tests:   20.0123 seconds
                Complete requests:      100000
                Failed requests:        40
                   (Connect: 10, Length: 30, Exceptions: 0)
                Write errors:           0
                """));

        assertThat(run.rows.getFirst().errors()).isEqualTo(new LoadBin.Errors(0, 10, 0, 0, 30));
        assertThat(run.completed()).isEqualTo(99_970);
    }

    private LoadSource summary(Format format, String text) throws IOException {
        Path file = file("out.txt", text);
        assertThat(format(file)).isEqualTo(format);
        return ((Format.Loads) format.content())
                .of()
                .apply(file, Texts.options())
                .getFirst();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a_stats.csv|Type,Name,Request Count,Failure Count|a table of totals of Locust: import the file that ends with"
                        + " _stats_history.csv",
                "a.csv|\"Benchmark\",\"Mode\",\"Threads\",\"Samples\",\"Score\"|JMH's table of means: import what -rf json",
                "a.txt|Benchmark        Mode  Cnt  Score   Error  Units|JMH's table of means",
                "stats.json|{\"numberOfRequests\":{\"total\":1},\"meanNumberOfRequestsPerSecond\":{}}|Gatling's summary: import its"
                        + " simulation.log",
                "statistics.json|{\"Total\":{\"sampleCount\":1,\"meanResTime\":2}}|a summary of JMeter: import its JTL",
                "p.json|{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[]}}|a matrix of Prometheus",
                "pidstat.json|{\"sysstat\":{\"hosts\":[{\"statistics\":[{\"task-cpu-load\":[]}]}]}}|a log of pidstat in JSON",
                "gc.log|1.234: [GC (Allocation Failure) 33280K->5120K(125952K), 0.0059474 secs]|a log of a collector as JDKs before 9",
                "art.json|{\"aggregate\":{\"counters\":{\"http.requests\":1}},\"intermediate\":[]}|a report of artillery: make a CSV",
                "h.json|{\"results\":[{\"command\":\"a\",\"times\":[1]}]}|a file of hyperfine: kiln compare reads it"
            },
            quoteCharacter = '~')
    void anotherFormOfAKnownProgramSaysWhichOneToTake(String name, String text, String words) throws IOException {
        Path file =
                Files.writeString(Files.createDirectories(folder.resolve("run")).resolve(name), text + "\n");

        // It is said of a file that the user names, and of a folder that has nothing else.
        for (Path path : List.of(file, folder)) {
            assertThatThrownBy(() -> LabFolder.find(List.of(path), Optional.empty()))
                    .isInstanceOf(KilnException.class)
                    .hasMessageContaining(name + " is " + words);
        }
        file("load.csv", "time,requests\n1780390800,1\n1780390801,1\n");
        LabFolder.FolderFiles found = LabFolder.find(List.of(folder), Optional.empty());
        assertThat(found.found()).hasSize(1);
        assertThat(found.missed()).isEmpty();
        assertThat(found.remarks()).isEmpty();
    }
}
