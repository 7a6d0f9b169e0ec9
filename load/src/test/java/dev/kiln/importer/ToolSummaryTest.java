package dev.kiln.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.program.AbSummary;
import dev.kiln.importer.program.H2loadSummary;
import dev.kiln.importer.program.HeySummary;
import dev.kiln.importer.program.Oha;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.model.load.LoadBin;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What load generators print at their end, as their own code lays it out. */
class ToolSummaryTest extends ProgramFiles {
    private static final String H2LOAD = """
            starting benchmark...
            spawning thread #0: 10 total client(s). Timing-based test with 0s of warm-up time and 30s of main duration for measurements.
            Warm-up started for thread #0.
            progress: 100%% of clients started.

            finished in %s, 5000.00 req/s, 1.02MB/s
            requests: 150500 total, 150510 started, 150500 done, 150000 succeeded, 500 failed, 30 errored, 10 timeout
            status codes: 149900 2xx, 100 3xx, 400 4xx, 70 5xx
            traffic: 30.52MB (32000000) total, 1.00MB (1048576) headers (space savings 90.00%%), 28.00MB (29360128) data
                                 min         max         mean         sd        +/- sd
            time for request:      100us     30.00ms      2.00ms       500us    90.00%%
            """;

    private static final String HEY = """

            Summary:
              Total:\t30.0500 secs
              Slowest:\t0.0300 secs
              Fastest:\t0.0004 secs
              Average:\t0.0020 secs
              Requests/sec:\t5001.6639
             \s
              Total data:\t84000 bytes
              Size/request:\t168 bytes

            Response time histogram:
              0.000 [1]\t|
              0.003 [150220]\t|■■■■■■■■

            Latency distribution:
              10% in 0.0010 secs
              50% in 0.0018 secs
              99% in 0.0099 secs

            Status code distribution:
              [200]\t150000 responses
              [503]\t220 responses

            Error distribution:
              [12]\tGet "http://127.0.0.1:8080/": dial tcp 127.0.0.1:8080: connect: connection refused
              [3]\tGet "http://127.0.0.1:8080/": context deadline exceeded (Client.Timeout exceeded while awaiting headers)
              [5]\tGet "http://127.0.0.1:8080/": EOF
            """;

    private static final String AB = """
            This is ApacheBench, Version 2.3 <$Revision: 1903618 $>
            Benchmarking 127.0.0.1 (be patient)
            Finished 100000 requests

            Concurrency Level:      20
            Time taken for tests:   20.000 seconds
            Complete requests:      100000
            Failed requests:        600
               (Connect: 0, Receive: 100, Length: 400, Exceptions: 100)
            Non-2xx responses:      300
            Total transferred:      253270000 bytes
            Requests per second:    5000.00 [#/sec] (mean)
            Time per request:       4.000 [ms] (mean)

            Percentage of the requests served within a certain time (ms)
              50%      4
              66%      5
              99%     12
             100%     33 (longest request)
            """;

    private List<LoadSource> loads(Format format, String text) throws IOException {
        Path file = file("out.txt", text);
        assertThat(format(file)).isEqualTo(format);
        return ((Format.Loads) format.content()).of().apply(file, Texts.options());
    }

    private static LoadBin.Errors errors(Recorded run) {
        return run.rows.getFirst().errors();
    }

    @Test
    void h2loadsSummaryHasTotals() throws IOException {
        List<LoadSource> two = loads(H2loadSummary.FORMAT, H2LOAD.formatted("30.01s") + H2LOAD.formatted("950.50ms"));
        Recorded run = Recorded.of(two.getFirst());

        assertThat(run.completed()).isEqualTo(149_900);
        // 3xx, 4xx and 5xx have a status; of the errored ones 10 timed out.
        assertThat(errors(run)).isEqualTo(new LoadBin.Errors(0, 20, 10, 570, 0));
        assertThat(two.getFirst().span().length()).isEqualTo(30_010_000_000L);
        assertThat(run.totals).isEmpty();
        assertThat(two.getLast().span().length()).isEqualTo(950_500_000L);
    }

    @Test
    void heysSummaryHasTotalsAndQuantiles() throws IOException {
        LoadSource load = loads(HeySummary.FORMAT, HEY).getFirst();
        Recorded run = Recorded.of(load);

        assertThat(run.completed()).isEqualTo(150_000);
        assertThat(errors(run)).isEqualTo(new LoadBin.Errors(12, 5, 3, 220, 0));
        assertThat(load.span().length()).isEqualTo(30_050_000_000L);
        assertThat(run.totals).containsExactly(new Quantiles(150_220, 1_800_000, 9_900_000, 30_000_000));
    }

    @Test
    void ohasSummaryIsMadeAfterHeys() throws IOException {
        Recorded run = Recorded.of(loads(HeySummary.FORMAT, """
                        Summary:
                          Success rate:\t100.00%
                          Total:\t4472.0000 ms
                          Slowest:\t36.7000 ms
                          Requests/sec:\t4472.2547

                        Response time distribution:
                          50.00% in 1.1000 ms
                          99.00% in 1.7000 ms
                          99.90% in 10.5000 ms

                        Status code distribution:
                          [200] 20000 responses

                        Error distribution:
                          [9] aborted due to deadline
                        """).getFirst());

        assertThat(run.completed()).isEqualTo(20_000);
        assertThat(run.failed()).isZero();
        assertThat(run.totals).containsExactly(new Quantiles(20_000, 1_100_000, 1_700_000, 36_700_000));
        assertThat(run.ends).containsExactly(4_472_000_000L);
    }

    @Test
    void absSummaryHasTotalsAndQuantiles() throws IOException {
        Recorded run = Recorded.of(loads(AbSummary.FORMAT, AB).getFirst());

        // Of 400 of another length 300 had a bad status; 100 refused connections are in three of the counts.
        assertThat(run.completed()).isEqualTo(99_600);
        assertThat(errors(run)).isEqualTo(new LoadBin.Errors(0, 100, 0, 300, 0));
        assertThat(run.ends).containsExactly(20_000_000_000L);
        assertThat(run.totals).containsExactly(new Quantiles(100_000, 4_000_000, 12_000_000, 33_000_000));
    }

    @Test
    void failedRequestsOfAbAreNoSuccessesWhateverTheLength() throws IOException {
        Recorded run = Recorded.of(
                loads(AbSummary.FORMAT, AB.replace("Length: 400", "Length: 0")).getFirst());

        assertThat(run.completed()).isEqualTo(99_600);
        assertThat(errors(run)).isEqualTo(new LoadBin.Errors(0, 100, 0, 300, 0));
    }

    /** ab closes the connection, and counts the request as complete and as of another length, too. */
    @Test
    void aRequestThatAbCouldNotWriteFailedOnce() throws IOException {
        String unwritten =
                AB.replace("Length: 400", "Length: 450").replace("Non-2xx", "Write errors:           50\nNon-2xx");
        Recorded run = Recorded.of(loads(AbSummary.FORMAT, unwritten).getFirst());

        assertThat(run.completed()).isEqualTo(99_550);
        assertThat(errors(run)).isEqualTo(new LoadBin.Errors(0, 150, 0, 300, 0));
    }

    /** ab writes whole milliseconds. */
    @Test
    void aMedianOfZeroIsNotKnown() throws IOException {
        Recorded run = Recorded.of(
                loads(AbSummary.FORMAT, AB.replace("50%      4", "50%      0")).getFirst());

        assertThat(run.totals).isEmpty();
    }

    @Test
    void heyTellsTheStatusOfItsFirstMillionOnly() throws IOException {
        String all = """

                Summary:
                  Total:\t60.0000 secs
                  Slowest:\t0.0300 secs
                  Requests/sec:\t%s

                Status code distribution:
                  [200]\t1000000 responses
                """;

        assertThatThrownBy(() -> loads(HeySummary.FORMAT, all.formatted("50000.0000")))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("out.txt:2: hey tells the status of its first 1,000,000 requests only, and"
                        + " 3,000,000 were answered");
        assertThat(Recorded.of(loads(HeySummary.FORMAT, all.formatted("16666.6667"))
                                .getFirst())
                        .completed())
                .isEqualTo(1_000_000);
    }

    @Test
    void theSummaryOfGhzIsNotThatOfHey() throws IOException {
        Path file = file("out.txt", """

                Summary:
                  Count:\t200
                  Total:\t181.57 ms
                  Slowest:\t69.60 ms
                  Requests/sec:\t1101.53

                Status code distribution:
                  [OK]   200 responses
                """);

        assertThat(Formats.of(file, Optional.empty())).isEmpty();
    }

    @Test
    void aSummaryThatWasCutShortIsRefused() throws IOException {
        String cut = HEY.substring(0, HEY.indexOf("Status code"));

        assertThatThrownBy(() -> loads(HeySummary.FORMAT, cut))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("out.txt:2: this summary of hey or oha lacks a distribution of status codes");
    }

    @Test
    void aLengthThatIsNoNumberIsMissing() {
        String damaged = HEY.replaceFirst("Total:(\\s+)", "Total:$1" + "1.2.");

        assertThatThrownBy(() -> loads(HeySummary.FORMAT, damaged))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("out.txt:2: this summary of hey or oha lacks");
    }

    @Test
    void heysTableIsALogOfRequests() throws IOException {
        Path table = file("hey.csv", """
                response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,offset
                0.0300,0.0011,0.0000,0.0001,0.0287,0.0001,200,0.0000
                0.0200,0.0000,0.0000,0.0000,0.0199,0.0001,503,0.0500
                0.0100,0.0000,0.0000,0.0000,0.0099,0.0001,200,0.1850
                """);
        Recorded run = load(table);

        assertThat(format(table)).isEqualTo(Oha.HEY_CSV);
        assertThat(completed(run)).containsExactly(1L, 1L);
        assertThat(run.failed()).isEqualTo(1);
        assertThat(run.ends).containsExactly(195_000_000L);
        assertThat(run.gaps)
                .containsExactly(table + ": hey writes answered requests alone: how many got no answer is not known");
    }

    @Test
    void heysTableEndsAtAMillion() throws IOException {
        Path table = file("hey.csv", "response-time,status-code,offset\n" + "0.1,200,0.5\n".repeat(1_000_000));
        Recorded run = load(table);

        assertThat(run.completed()).isEqualTo(1_000_000);
        assertThat(run.gaps)
                .last()
                .asString()
                .endsWith("hey.csv: hey keeps 1,000,000 requests: any that came later are missing");
    }
}
