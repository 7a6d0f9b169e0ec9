package dev.kiln.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.LoadSpec.Replay;
import dev.kiln.model.load.LoadSpec.Step;
import dev.kiln.model.load.LoadSpec.Variables;
import dev.kiln.text.Show;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class FactsTest {
    @Test
    void secretsAreNotSentAround() {
        assertThat(Facts.environment(Map.of("DB_PASSWORD", "hunter2", "API_KEY", "k", "GC", "serial")))
                .containsExactly(
                        Map.entry("API_KEY", "***"), Map.entry("DB_PASSWORD", "***"), Map.entry("GC", "serial"));
        assertThat(Facts.argument("java -Dspring.datasource.password=hunter2 -jar app.jar"))
                .isEqualTo("java -Dspring.datasource.password=*** -jar app.jar");
        assertThat(Facts.command(List.of("java", "Main", "--db-password", "hunter2")))
                .containsExactly("java", "Main", "--db-password", "***");
    }

    @Test
    void aSessionIsTold() {
        HttpCall call = HttpCall.get(URI.create("http://h:1/"));
        List<HttpCall> calls = List.of(
                call.with(new Step(true, Duration.ofMillis(500), Map.of("a", "json:/a"))),
                call.with(new Step(true, Duration.ZERO, Map.of())));
        assertThat(Facts.load(new LoadSpec(calls, 2, OptionalDouble.empty(), Duration.ofSeconds(3))))
                .isEqualTo("GET http://h:1/, GET http://h:1/; closed loop, 2 connections; timeout 3 s;"
                        + " users send the calls in their order (session), with cookies, and think 0.5 s, 0 s"
                        + " between them");
    }

    @Test
    void aRecordingIsSaidInPlaceOfItsRequests() {
        Replay replay =
                new Replay("access.log", 3004, Duration.ofSeconds(50), 2, Optional.of("1 of 3,005 lines"), "00ff");
        LoadSpec load = new LoadSpec(
                        List.of(HttpCall.get(URI.create("http://localhost:81/up"))),
                        10,
                        OptionalDouble.of(replay.rate()),
                        Duration.ofSeconds(30))
                .with(new Variables(1, Optional.empty(), Optional.of(replay)));
        assertThat(Facts.load(load))
                .isEqualTo(
                        "requests to http://localhost:81/up; open loop, about 120 requests per second, replayed from"
                                + " access.log (3,004 requests in 50 s, at 2 times the speed) over 10 connections; timeout 30 s");
    }

    @Test
    void numbersReadTheSameEverywhere() {
        assertThat(Show.fixed(-0.04, 1)).isEqualTo("0.0");
        assertThat(Show.whole(-1234.5)).isEqualTo("\u22121,235");
        assertThat(Show.whole(Double.NaN)).isEqualTo(Show.ABSENT);
        assertThat(Show.percent(0.968)).isEqualTo("97");
        assertThat(Show.plain(1e-7)).isEqualTo("0.0000001");
    }
}
