package dev.kiln.load.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.load.LoadSession.AttemptResult;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.load.LoadSession.Tick;
import dev.kiln.load.PhaseResult;
import dev.kiln.load.driver.http.LoadCheck;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.Feed;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.LoadSpec.Replay;
import dev.kiln.model.load.LoadSpec.Step;
import dev.kiln.model.load.LoadSpec.Variables;
import dev.kiln.model.load.Sending.Success;
import dev.kiln.model.load.Shape;
import dev.kiln.model.run.Course;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DriverLinesTest {
    private static DriverLines.MessageFields sent(DriverLines.MessageWriter line) {
        DriverLines.MessageFields fields = new DriverLines.MessageFields(line.toString());
        fields.text();
        return fields;
    }

    @Test
    void aLoadComesOverWhole() {
        HttpCall post = new HttpCall(
                "POST",
                URI.create("http://h:1/a?b=%20"),
                Map.of("A", "tab\there", "B", ""),
                Optional.of("{\n\t\"a\\b\": \"\r\nü\"}"),
                3,
                Optional.of("\\n"),
                Optional.of("a call"),
                Optional.empty());
        Step step = new Step(true, Duration.ofMillis(500), Map.of("a", "json:/x\ty", "b", "regex:\\s(\n)"));
        HttpCall empty = new HttpCall(
                "PUT",
                URI.create("http://h:1/"),
                Map.of(),
                Optional.of(""),
                1,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        LoadSpec open = new LoadSpec(List.of(post, empty), 7, OptionalDouble.of(12.5), Duration.ofMillis(1500));
        LoadSpec closed = new LoadSpec(
                List.of(HttpCall.get(URI.create("http://h:1/"))), 1, OptionalDouble.empty(), Duration.ofNanos(1));
        Variables drawn = new Variables(-3, Optional.empty());
        Variables fed = new Variables(7, Optional.of(new Feed("a\tb.csv", 5, Feed.Order.UNIQUE, "00ff")));
        Replay replay = new Replay("a\tb.log", 5, Duration.ofMillis(1234), 2.5, Optional.of("x; y"), "00ff");
        Variables recorded = new Variables(1, Optional.empty(), Optional.of(replay));
        for (LoadSpec spec : List.of(
                open,
                varied(open, recorded, null),
                closed,
                open.with(List.of(post.with(step), empty.with(new Step(false, Duration.ZERO, Map.of())))),
                LoadKit.overHttp2(open, 100),
                varied(open, drawn, new Success(List.of("2xx", "304"))),
                varied(closed, fed, null))) {
            DriverLines.MessageWriter line = new DriverLines.MessageWriter("open");
            SpecLine.write(line, spec);
            assertThat(line.toString()).doesNotContain("\n");
            assertThat(SpecLine.read(sent(line))).isEqualTo(spec);
        }
    }

    private static LoadSpec varied(LoadSpec spec, Variables variables, @Nullable Success success) {
        LoadSpec varied = spec.with(variables);
        return success == null ? varied : varied.with(success);
    }

    @Test
    void answersComeBackWhole() {
        PhaseResult result = new PhaseResult(
                "warm-up",
                1,
                2,
                new PhaseResult.Requests(
                        3, 4, new LoadBin.Errors(5, 6, 7, 8, 9), 10, 11, 12, Optional.of(new Course.Hung(20, 21))),
                true,
                new PhaseResult.DriverWork(
                        new Course.Handshakes(17, 18, 19), new PhaseResult.Cost(13, 14, 15), List.of(0.83, 0.79), 16),
                List.of("one", "two\twords"));
        assertThat(DriverLines.result(sent(DriverLines.line(result)))).isEqualTo(result);
        Tick tick = new Tick("warm-up", 1, 1234.5, 6, 7);
        assertThat(DriverLines.tick(sent(DriverLines.line(tick)))).isEqualTo(tick);
        for (Probe probe : List.of(new Probe.Answered(5, 6), new Probe.NoAnswer(AttemptResult.status(404), 7))) {
            assertThat(DriverLines.probe(sent(DriverLines.line(probe)))).isEqualTo(probe);
        }
    }

    @Test
    void phasesKeepTheirShape() {
        for (Optional<Shape> shape : List.of(
                Optional.<Shape>empty(),
                Optional.of(Shape.ramp(Shape.Of.RATE, 0, 12.5)),
                Optional.of(Shape.slowStart(1.5, 0.1)))) {
            Phase.Load phase =
                    new Phase.Load("warmup", Duration.ofSeconds(3), Optional.empty(), shape, Optional.empty());
            DriverLines.MessageFields fields = sent(DriverLines.line(phase));
            assertThat(DriverLines.phase(fields)).isEqualTo(phase);
        }
    }

    @Test
    void loadsThatCannotBeSentAreTold() {
        URI url = URI.create("http://h:1/");
        HttpCall get = HttpCall.get(url);
        assertTold(List.of(), 1, "no call or no connection");
        assertTold(List.of(get), 0, "no call or no connection");
        assertTold(List.of(HttpCall.get(URI.create("ftp://h/"))), 1, "not an http or https URL");
        assertTold(List.of(HttpCall.get(URI.create("/path"))), 1, "not an http or https URL");
        assertTold(List.of(get, HttpCall.get(URI.create("http://h:2/other"))), 1, "does not go to h:1");
        assertTold(List.of(LoadKit.call("GET", url, 0)), 1, "weight");
        assertTold(List.of(LoadKit.containing(url, "")), 1, "is empty");
        Map<String, String> smuggled = Map.of("A", "b\r\nC: d");
        assertTold(
                List.of(new HttpCall(
                        "GET",
                        url,
                        smuggled,
                        Optional.empty(),
                        1,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty())),
                1,
                "not a header");
    }

    @Test
    void moreStreamsThanFitAreTold() {
        LoadSpec spec = LoadKit.closed(1000, URI.create("http://h:1/"));
        LoadCheck.check(LoadKit.overHttp2(spec, 100));
        for (int streams : new int[] {0, 101}) {
            assertThatThrownBy(() -> LoadCheck.check(LoadKit.overHttp2(spec, streams)))
                    .isInstanceOf(KilnException.class)
                    .hasMessage("1000 connections of " + streams
                            + " streams are not between 1 and 100000 requests in flight");
        }
    }

    private static void assertTold(List<HttpCall> calls, int connections, String what) {
        LoadSpec spec = new LoadSpec(calls, connections, OptionalDouble.empty(), Duration.ofSeconds(1));
        assertThatThrownBy(() -> LoadCheck.check(spec)).isInstanceOfSatisfying(KilnException.class, e -> {
            assertThat(e.exit()).isEqualTo(KilnException.Exit.USAGE);
            assertThat(e).hasMessageContaining(what);
        });
    }
}
