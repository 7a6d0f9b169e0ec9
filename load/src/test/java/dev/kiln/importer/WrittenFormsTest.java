package dev.kiln.importer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.importer.format.Format.ImportedRun;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.SystemLog;
import dev.kiln.importer.program.GatlingLog;
import dev.kiln.importer.program.VegetaJson;
import dev.kiln.importer.program.WrkOutput;
import dev.kiln.importer.sysstat.Mpstat;
import dev.kiln.importer.sysstat.Pidstat;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Sample.CpuSample;
import dev.kiln.model.run.Sample.ThreadRole;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Forms of files that are seldom and that their programs' own code writes so. */
class WrittenFormsTest extends ProgramFiles {
    private static final long BEGIN = 1_780_390_799_500L;

    private Quantiles wrk(String text) throws IOException {
        return Recorded.of(WrkOutput.of(file("wrk.txt", text)).getFirst())
                .totals
                .getFirst();
    }

    /** wrk writes a blank behind a unit of one letter. */
    @Test
    void quantilesOfWrkMayBeSeconds() throws IOException {
        Quantiles quantiles = wrk("""
                Running 30s test @ http://127.0.0.1:8080/
                  2 threads and 20 connections
                  Thread calibration: mean lat.: 4.611ms, rate sampling interval: 17ms
                  Thread Stats   Avg      Stdev     Max   +/- Stdev
                    Latency    65.41ms  187.53ms   1.30s    90.33%
                    Req/Sec    15.47k     2.99k   44.67k    77.94%
                  Latency Distribution (HdrHistogram - Recorded Latency)
                 50.000%    2.97ms
                 99.000%    1.16s\s
                100.000%    1.30s\s
                  Latency Distribution (HdrHistogram - Uncorrected Latency (measured without taking delayed starts into account))
                 50.000%    1.97ms
                 99.000%   20.00ms
                  3000 requests in 30.00s, 10.00MB read
                Requests/sec:    100.00
                Transfer/sec:      1.00MB
                """);

        assertThat(quantiles).isEqualTo(new Quantiles(3000, 2_970_000, 1_160_000_000, 1_300_000_000));
    }

    @Test
    void theThirdColumnOfAWrk2MayBeNoMaximum() throws IOException {
        Quantiles quantiles = wrk("""
                Running 30s test @ http://localhost:8080
                  2 threads and 2 connections
                  Thread Stats   Avg      Stdev     99%   +/- Stdev
                    Latency   540.95us   66.96us 729.00us   72.50%
                    Req/Sec     1.07     10.83     0.00     99.01%
                  Latency Distribution (HdrHistogram - Recorded Latency)
                 50.000%  524.00us
                 99.000%  729.00us
                100.000%    9.00ms
                  60 requests in 30.00s, 1.00MB read
                Requests/sec:      2.00
                Transfer/sec:      1.00KB
                """);

        assertThat(quantiles).isEqualTo(new Quantiles(60, 524_000, 729_000, 9_000_000));
    }

    /** Of a message that nobody asked for, Gatling means the least time as its end, and writes 0. */
    @Test
    void whatNobodyAskedForIsNoRequestOfATextLog() throws IOException {
        Path log = file(
                "simulation.log",
                "RUN\ta.B\tb\t" + BEGIN + "\t \t3.9.5\n"
                        + "REQUEST\t\tget\t" + BEGIN + "\t" + (BEGIN + 10) + "\tOK\t \n"
                        + "REQUEST\t\tws\t" + (BEGIN + 20) + "\t0\tOK\t \n"
                        + "ERROR\tfailed to build request:\n  no attribute\t" + (BEGIN + 30) + "\n"
                        + "REQUEST\t\tget\t" + (BEGIN + 40) + "\t" + (BEGIN + 50) + "\tOK\t \n");
        LoadSource load = GatlingLog.of(log).orElseThrow();

        assertThat(Recorded.of(load).completed()).isEqualTo(2);
        assertThat(load.span().length()).isEqualTo(50_000_000);
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        out.writeInt(text.length());
        if (!text.isEmpty()) {
            out.write(text.getBytes(StandardCharsets.ISO_8859_1));
            out.writeByte(0);
        }
    }

    private static void request(DataOutputStream out, int index, long from, long to) throws IOException {
        out.writeByte(1);
        out.writeInt(0);
        out.writeInt(index);
        text(out, "get");
        out.writeInt((int) (from - BEGIN));
        out.writeInt((int) (to - BEGIN));
        out.writeBoolean(true);
        out.writeInt(index + 1);
        text(out, "");
    }

    @Test
    void whatNobodyAskedForIsNoRequestOfABinaryLog() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(0);
            text(out, "3.14.2");
            text(out, "a.B");
            out.writeLong(BEGIN);
            text(out, "");
            out.writeInt(0);
            out.writeInt(0);
            request(out, 1, BEGIN + 5, BEGIN + 15);
            request(out, 3, BEGIN + 20, Long.MIN_VALUE);
            request(out, 5, BEGIN + 25, BEGIN + 55);
        }
        Path log = Files.write(folder.resolve("simulation.log"), bytes.toByteArray());
        LoadSource load = GatlingLog.of(log).orElseThrow();

        assertThat(Recorded.of(load).completed()).isEqualTo(2);
        assertThat(load.span().length()).isEqualTo(50_000_000);
    }

    /** {@code pidstat -H} without {@code -h}: seconds since 1970 in headers too, below a date. */
    @ParameterizedTest
    @ValueSource(strings = {"2026-06-22", "06/22/2026", "22.06.2026", "06/02/2026"})
    void secondsSince1970NeedNoDate(String date) throws IOException {
        String header = "   UID      TGID       TID    %usr %system  %guest   %wait    %CPU   CPU  Command\n";
        Path log = file(
                "pidstat.log",
                "Linux 6.1.0 (lab) \t" + date + " \t_x86_64_\t(2 CPU)\n\n"
                        + "1782118800" + header
                        + "1782118801  1000        10         -   60.00    0.00    0.00    0.00   60.00     2  java\n"
                        + "1782118801  1000         -        11   50.00    0.00    0.00    0.00   50.00     2  |__C2 CompilerThre\n"
                        + "\n1782118801" + header
                        + "1782118802  1000        10         -   60.00    0.00    0.00    0.00   60.00     2  java\n"
                        + "1782118802  1000         -        11   20.00    0.00    0.00    0.00   20.00     2  |__C2 CompilerThre\n");
        SystemLog told = Pidstat.of(log, OptionalInt.empty()).orElseThrow();

        assertThat(told.clock()).isEqualTo(SystemLog.LogClock.EPOCH);
        assertThat(told.span().fromNanos()).isEqualTo(1_782_118_800 * SECOND);
        assertThat(told.span().length()).isEqualTo(2 * SECOND);
        assertThat(SystemRecorded.of(told).last(ThreadRole.C2).cpuNanos()).isEqualTo(700_000_000L);
    }

    /** {@code mpstat --dec=0} and {@code --dec=1}. */
    @ParameterizedTest
    @ValueSource(strings = {"25 %", "25.0 %", "25,00 %"})
    void sharesMayHaveFewerDecimals(String share) throws IOException {
        String idle = share.replace(" %", "");
        Path log = file(
                "mpstat.txt",
                "Linux 6.1.0 (lab) \t2026-06-22 \t_x86_64_\t(1 CPU)\n\n"
                        + "17:00:00     CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle\n"
                        + "17:00:01       0      75       0       0       0       0       0       0       0       0      "
                        + idle + "\n"
                        + "17:00:02       0      75       0       0       0       0       0       0       0       0      "
                        + idle + "\n");

        assertThat(SystemRecorded.of(Mpstat.of(log).orElseThrow()).cpus)
                .extracting(CpuSample::busyNanos)
                .containsExactly(3 * SECOND / 4, 3 * SECOND / 2);
    }

    @Test
    void locustMayWriteTwoRowsOfASecond() throws IOException {
        Path history = file("a_stats_history.csv", """
                Timestamp,User Count,Type,Name,Requests/s,Failures/s,50%,99%,Total Request Count,Total Failure Count
                1780390800,10,,Aggregated,0.0,0.0,N/A,N/A,0,0
                1780390800,10,,Aggregated,0.0,0.0,N/A,N/A,40,0
                1780390801,10,,Aggregated,9.0,0.0,5,9,90,0
                1780390801,10,,Aggregated,9.0,0.0,5,9,140,4
                1780390802,10,,Aggregated,9.0,0.0,5,9,190,4
                1780390802,10,,Aggregated,9.0,0.0,5,9,240,4
                """);

        Recorded run = load(history);

        assertThat(completed(run)).containsExactly(96L, 100L);
        assertThat(run.failed()).isEqualTo(4);
    }

    @Test
    void vegetaEncodesAsJsonUnlessItIsToldOtherwise() throws IOException {
        String line = "{\"attack\":\"\",\"seq\":%d,\"code\":%d,\"timestamp\":\"2026-06-22T11:00:0%d.000000001+02:00\","
                + "\"latency\":%d,\"bytes_out\":0,\"bytes_in\":2,\"error\":\"%s\",\"body\":\"b2s=\",\"method\":\"GET\","
                + "\"url\":\"http://127.0.0.1/\",\"headers\":null}\n";
        Path results = file(
                "results.json",
                line.formatted(0, 200, 0, 1_000_000, "")
                        + line.formatted(1, 503, 1, 2_000_000, "503 Service Unavailable")
                        + line.formatted(2, 0, 2, 3_000_000, "Get: dial tcp: connect: connection refused")
                        + line.formatted(3, 0, 3, 4_000_000, "Get: context deadline exceeded"));
        LoadSource load = VegetaJson.of(results).orElseThrow();
        Recorded run = Recorded.of(load);

        assertThat(format(results)).isEqualTo(VegetaJson.FORMAT);
        assertThat(run.completed()).isEqualTo(1);
        assertThat(run.rows.stream().map(row -> row.errors()).reduce(LoadBin.Errors.NONE, LoadBin.Errors::plus))
                .isEqualTo(new LoadBin.Errors(1, 0, 1, 1, 0));
        assertThat(load.span().fromNanos()).isEqualTo(1_782_118_800_000_000_001L);
        assertThat(load.span().length()).isEqualTo(3_004_000_000L);
    }

    @Test
    void aBenchmarkOfTwoNumbersOfThreadsIsTwoVariants() throws IOException {
        String one =
                "{\"jmhVersion\":\"1.37\",\"benchmark\":\"a.B.c\",\"mode\":\"avgt\",\"threads\":%d,\"measurementTime\":"
                        + "\"10 s\",\"primaryMetric\":{\"scoreUnit\":\"us/op\",\"rawData\":[[%s],[%s]]}}";
        Path results =
                file("jmh.json", "[" + one.formatted(1, "50.0", "40.0") + "," + one.formatted(4, "80.0", "80.0") + "]");

        List<ImportedRun> runs = runs(results, new ArrayList<>());

        assertThat(runs)
                .extracting(run -> run.variant() + " " + run.run())
                .containsExactly(
                        "a.B.c-avgt-threads=1 1",
                        "a.B.c-avgt-threads=1 2",
                        "a.B.c-avgt-threads=4 1",
                        "a.B.c-avgt-threads=4 2");
        // 4 threads of 80 us in 10 s.
        assertThat(completed(Recorded.of(runs.getLast().loads().getFirst()))).containsExactly(500_000L);
        assertThat(completed(Recorded.of(runs.get(1).loads().getFirst()))).containsExactly(250_000L);
    }
}
