package dev.kiln.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.cli.Kiln;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Series of requests that complete in batches, with seconds of nothing between them. */
class BatchedSeriesTest {
    private static final int RATE = 100;

    @TempDir
    private Path dir;

    /** A load of 120 s and one of 30 s after a pause, in which what came in for so many seconds completes at once. */
    private Kiln analyze(int apart, int between) throws IOException {
        return analyze(RATE, apart, between);
    }

    private Kiln analyze(int rate, int apart, int between) throws IOException {
        StringBuilder csv = new StringBuilder("time,phase,requests\n");
        for (int i = 0; i < 150; i++) {
            csv.append(i < 120 ? i : i + 30)
                    .append(i < 120 ? ",warmup," : ",load,")
                    .append(i % apart == apart - 1 ? apart * rate - (apart - 1) * between : between)
                    .append('\n');
        }
        String file = Files.writeString(dir.resolve("a.csv"), csv).toString();
        return Kiln.run("analyze", file, "--json", "-");
    }

    private static JsonNode series(Kiln kiln) {
        return JsonMapper.shared().readTree(kiln.out()).at("/series/0");
    }

    @ParameterizedTest
    @CsvSource({"2, 0", "3, 0", "4, 0", "5, 0", "5, 4", "4, 9"})
    void theLevelOfBatchesIsThatOfTheTimeFromOneToTheNext(int apart, int between) throws IOException {
        JsonNode found = series(analyze(apart, between));

        assertThat(found.at("/binSeconds").asDouble()).isEqualTo(apart);
        assertThat(found.at("/referencePeak/value").asDouble()).isCloseTo(RATE, within(1.0));
        assertThat(found.at("/endOverPeak/ratio").asDouble()).isCloseTo(1, within(0.02));
        assertThat(found.path("verdict").asString()).isEqualTo("peaked");
        assertThat(found.path("footnotes").toString())
                .contains("analysed in bins of " + apart + " s: shorter ones alternate");
    }

    /** Twenty requests would be enough for a second: it is not for want of them that seconds are joined. */
    @Test
    void secondsOfEnoughRequestsAreJoinedBecauseTheyAlternate() throws IOException {
        assertThat(series(analyze(20, 2, 0)).path("footnotes").toString())
                .contains("analysed in bins of 2 s: shorter ones alternate");
        assertThat(series(analyze(10, 1, 0)).path("footnotes").toString())
                .contains("analysed in bins of 2 s: shorter ones had fewer than 15 requests");
    }

    /** A service that stops for five seconds of ten has two levels, and no batches. */
    @Test
    void whatLastsForSecondsIsNoBatch() throws IOException {
        StringBuilder csv = new StringBuilder("time,phase,requests\n");
        for (int i = 0; i < 150; i++) {
            csv.append(i < 120 ? i : i + 30)
                    .append(i < 120 ? ",warmup," : ",load,")
                    .append(i >= 120 || i / 5 % 2 == 1 ? 3000 + i % 7 : 0)
                    .append('\n');
        }
        String file = Files.writeString(dir.resolve("a.csv"), csv).toString();

        JsonNode found = series(Kiln.run("analyze", file, "--json", "-"));

        assertThat(found.at("/binSeconds").asDouble()).isEqualTo(1);
        assertThat(found.path("verdict").asString()).isEqualTo("cycling");
    }

    @Test
    void batchesThatAreTooFarApartTellNothingAndNothingIsMadeUp() throws IOException {
        Kiln kiln = analyze(10, 0);
        JsonNode found = series(kiln);

        assertThat(kiln.out()).doesNotContain("NaN");
        assertThat(found.path("verdict").asString()).isEqualTo("cannot tell");
        assertThat(found.at("/referencePeak/lo").asDouble()).isLessThan(RATE);
        assertThat(found.at("/referencePeak/hi").asDouble()).isGreaterThan(RATE);
    }
}
