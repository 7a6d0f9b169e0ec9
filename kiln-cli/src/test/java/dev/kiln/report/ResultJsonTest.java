package dev.kiln.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.kiln.explain.Forecaster.Forecast;
import dev.kiln.explain.HandMade;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.RunResult.Explanation;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.run.Course.Handshakes;
import dev.kiln.report.html.HtmlReport;
import dev.kiln.report.json.ResultJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ResultJsonTest {
    private static final Schema SCHEMA = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(text("result.schema.json"), InputFormat.JSON);

    @ParameterizedTest
    @ValueSource(strings = {"en-US", "tr-TR", "de-DE", "ar-EG-u-nu-arab"})
    void isTheSameUnderEveryLocale(String locale) {
        ExperimentResult result = Samples.platformAgainstVirtual(1);

        String json = Locales.under(locale, () -> ResultJson.render(result));

        assertThat(json).isEqualTo(text("result.golden.json"));
    }

    @Test
    void followsItsSchema() {
        assertThat(SCHEMA.validate(ResultJson.render(Samples.platformAgainstVirtual(3)), InputFormat.JSON))
                .isEmpty();
        assertThat(SCHEMA.validate(ResultJson.render(Samples.nothingToSay()), InputFormat.JSON))
                .isEmpty();
    }

    @Test
    void theSchemaRefusesWhatScriptsCouldNotRead() {
        String json = ResultJson.render(Samples.platformAgainstVirtual(1));

        assertThat(SCHEMA.validate(
                        json.replace("\"verdict\" : \"peaked\"", "\"verdict\" : \"PEAKED\""), InputFormat.JSON))
                .isNotEmpty();
        assertThat(SCHEMA.validate(json.replace("\"timeToPeak\"", "\"times\""), InputFormat.JSON))
                .isNotEmpty();
    }

    @Test
    void whatIsUndefinedOrCensoredIsNull() {
        JsonNode run = JsonMapper.shared()
                .readTree(ResultJson.render(Samples.platformAgainstVirtual(1)))
                .at("/variants/0/runs/0");

        assertThat(run.at("/seconds").asDouble()).isEqualTo(60);
        assertThat(run.at("/timeToReferencePeak/90").isNull()).isTrue();
        assertThat(run.at("/timeToReferencePeakInterval/90/lo").isNull()).isTrue();
        assertThat(run.at("/referencePeak/lowerBound").asBoolean()).isTrue();
        assertThat(run.at("/deficitSeconds").asDouble())
                .isEqualTo(run.at("/deficitSecondsInterval/value").asDouble())
                .isBetween(38.0, 39.0);
    }

    /** "Not before 66 s" at second 60 says no more than that it is not over. */
    @Test
    void aBoundOfNoUseIsLeftOut() {
        Explanation two = new Explanation(
                SampleExplanation.STARVED.verdict(),
                SampleExplanation.STARVED.findings(),
                List.of(new Forecast(30, 0.034, 180, 330, 600), new Forecast(60, 0.05, 66, 200, 800)));
        ExperimentResult result =
                SampleExplanation.with(Samples.platformAgainstVirtual(1), RunResult::curves, run -> two);

        assertThat(JsonMapper.shared().readTree(ResultJson.render(result)).at("/variants/0/runs/0/forecasts"))
                .extracting(forecast -> forecast.at("/atSecond").asInt())
                .containsExactly(30);
    }

    @Test
    void aSeriesThatIsTooShortHasNoEnd() {
        JsonNode run = JsonMapper.shared()
                .readTree(ResultJson.render(Samples.nothingToSay()))
                .at("/variants/0/runs/0");

        assertThat(run.at("/verdict").asString()).isEqualTo("invalid");
        assertThat(run.at("/valid").asBoolean()).isFalse();
        assertThat(run.at("/seconds").asDouble())
                .as("bins of 12 requests are joined")
                .isEqualTo(2);
        assertThat(run.at("/endOverPeak").isNull()).isTrue();
        assertThat(run.at("/endOfWarmup").isNull()).isTrue();
        assertThat(run.at("/timeToReferencePeakInterval").isEmpty()).isTrue();
    }

    @Test
    void severalRunsHaveTheirMeanCurve() {
        JsonNode variant = JsonMapper.shared()
                .readTree(ResultJson.render(Samples.platformAgainstVirtual(3)))
                .at("/variants/1");

        assertThat(variant.at("/verdict").asString()).isEqualTo("peaked");
        assertThat(variant.at("/pooled/timeToReferencePeakInterval/90/seconds").asDouble())
                .isBetween(20.0, 22.0);
        assertThat(variant.at("/referencePeak/lo").asDouble())
                .isLessThan(variant.at("/referencePeak/value").asDouble());
        assertThat(variant.at("/referencePeak/confidence").asDouble()).isEqualTo(0.95);
    }

    @Test
    void handshakesAreThoseOfAllPhases() {
        ExperimentResult result = HandMade.assess(HandMade.measured("a", 100, HandMade.seconds(60, 100))
                .shaken("warmup", new Handshakes(98, 294_000_000, 12_000_000))
                .shaken("measure", new Handshakes(2, 6_000_000, 5_000_000)));
        String json = ResultJson.render(result);

        JsonNode made = JsonMapper.shared().readTree(json).at("/variants/0/runs/0/handshakes");
        assertThat(made.at("/count").asLong()).isEqualTo(100);
        assertThat(made.at("/meanSeconds").asDouble()).isEqualTo(0.003);
        assertThat(made.at("/maxSeconds").asDouble()).isEqualTo(0.012);
        assertThat(SCHEMA.validate(json, InputFormat.JSON)).isEmpty();
        assertThat(HtmlReport.render(result))
                .contains("<dt>TLS handshakes</dt><dd>100, 3.00 ms on average, the longest 12.0 ms (a, run 1)</dd>");
    }

    @Test
    void aRunWhosePeakEarlierRunsConfirmedSaysSo() {
        HandMade made = new HandMade("a", 2)
                .load("warmup", 10, HandMade.seconds(60, 900))
                .pause(FoundReference.pause(1), 5)
                .load(FoundReference.load(1), 75, HandMade.seconds(15, 1000));
        made.reference = Optional.of(new FoundReference(false));
        made.referenceEnd = Optional.of(FoundReference.End.CONFIRMED);
        made.planned.subList(1, made.planned.size()).clear();
        ExperimentResult result = HandMade.assess(made);
        String json = ResultJson.render(result);

        JsonNode run = JsonMapper.shared().readTree(json).at("/variants/0/runs/0");
        assertThat(run.at("/peakSearch/rounds").asInt()).isEqualTo(1);
        assertThat(run.at("/peakSearch/end").asString()).isEqualTo("CONFIRMED");
        assertThat(SCHEMA.validate(json, InputFormat.JSON)).isEmpty();
        assertThat(result.footnotes())
                .anyMatch(note -> note.startsWith("the search for the peak ended with a round that agrees with"));
        assertThat(ResultJson.render(Samples.platformAgainstVirtual(1))).doesNotContain("peakSearch");
    }

    /** A search of before that ended with a second round 60 % below the first was recorded as found. */
    @Test
    void aSearchWhoseLastRoundFellIsNotCalledFound() {
        HandMade made = new HandMade("a", 1)
                .load("warmup", 10, HandMade.seconds(60, 600))
                .pause(FoundReference.pause(1), 5)
                .load(FoundReference.load(1), 75, HandMade.seconds(15, 1520))
                .pause(FoundReference.pause(2), 5)
                .load(FoundReference.load(2), 95, HandMade.seconds(15, 611));
        made.reference = Optional.of(new FoundReference(false));
        made.referenceEnd = Optional.of(FoundReference.End.FOUND);
        made.planned.subList(1, made.planned.size()).clear();
        String json = ResultJson.render(HandMade.assess(made));

        assertThat(JsonMapper.shared()
                        .readTree(json)
                        .at("/variants/0/runs/0/peakSearch/end")
                        .asString())
                .isEqualTo("FELL");
        assertThat(SCHEMA.validate(json, InputFormat.JSON)).isEmpty();
    }

    @Test
    void withoutTlsThereAreNoHandshakes() {
        assertThat(ResultJson.render(Samples.platformAgainstVirtual(1))).doesNotContain("handshakes");
    }

    @Test
    void numbersHaveNoExponent() {
        assertThat(ResultJson.render(Samples.platformAgainstVirtual(3))).doesNotContainPattern("[0-9][eE][+-]?[0-9]");
    }

    @Test
    void isWrittenAsUtf8(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("result.json");

        ResultJson.write(Samples.nothingToSay(), file);

        assertThat(Files.readString(file)).isEqualTo(ResultJson.render(Samples.nothingToSay()));
    }

    private static String text(String resource) {
        try (InputStream in = ResultJsonTest.class.getResourceAsStream(resource)) {
            return new String(java.util.Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
