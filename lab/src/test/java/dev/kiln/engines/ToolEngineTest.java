package dev.kiln.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.host.process.Programs;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.LoadSpec.Success;
import dev.kiln.model.LoadTemplate;
import dev.kiln.model.LoadTemplate.Call;
import dev.kiln.model.LoadTemplate.LoadEngine;
import dev.kiln.model.Protocol;
import dev.kiln.model.Protocol.Phase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a program would silently send otherwise is refused before anything starts. */
class ToolEngineTest {
    private static final Protocol TWO_SECONDS = protocol(new Phase.Load("load", Duration.ofSeconds(2)));

    @BeforeEach
    void bothAreInstalled() {
        assumeTrue(Programs.find("wrk").isPresent() && Programs.find("h2load").isPresent(), "no wrk or h2load here");
    }

    private static Protocol protocol(Phase... phases) {
        return new Protocol("test", List.of(phases));
    }

    private static Call call(String method, Optional<String> body, Optional<String> contains) {
        return new Call(method, "http://localhost:1/", Map.of(), body, 1, contains);
    }

    private static LoadTemplate load(LoadEngine engine, OptionalDouble rate, Call... calls) {
        return new LoadTemplate(List.of(calls), 10, rate, Duration.ofSeconds(5)).with(engine);
    }

    private static void check(LoadTemplate load, Protocol protocol) {
        Engines.of(load).check(load, protocol);
    }

    private static String refused(LoadTemplate load, Protocol protocol) {
        KilnException e = catchThrowableOfType(KilnException.class, () -> check(load, protocol));
        assertThat(e.exit()).isEqualTo(Exit.USAGE);
        return String.valueOf(e.getMessage());
    }

    @Test
    void plainGetsAndAPostOfH2loadAreSent() {
        Call get = call("GET", Optional.empty(), Optional.empty());
        Call post = call("POST", Optional.of("{}"), Optional.empty());
        for (LoadEngine engine : List.of(LoadEngine.KILN, LoadEngine.WRK, LoadEngine.H2LOAD)) {
            assertThatCode(() -> check(load(engine, OptionalDouble.empty(), get), TWO_SECONDS))
                    .doesNotThrowAnyException();
        }
        assertThatCode(() -> check(load(LoadEngine.H2LOAD, OptionalDouble.empty(), post), TWO_SECONDS))
                .doesNotThrowAnyException();
        assertThat(refused(load(LoadEngine.WRK, OptionalDouble.empty(), post), TWO_SECONDS))
                .isEqualTo("load: wrk cannot send POST with a body");
    }

    @Test
    void whatTheyCannotIsRefused() {
        Call get = call("GET", Optional.empty(), Optional.empty());
        assertThat(refused(load(LoadEngine.WRK, OptionalDouble.of(100), get), TWO_SECONDS))
                .isEqualTo("load: wrk cannot send an open loop (rate)");
        assertThat(refused(load(LoadEngine.H2LOAD, OptionalDouble.empty(), get, get), TWO_SECONDS))
                .isEqualTo("load: h2load cannot send several calls");
        assertThat(refused(
                        load(
                                LoadEngine.H2LOAD,
                                OptionalDouble.empty(),
                                call("GET", Optional.empty(), Optional.of("apple"))),
                        TWO_SECONDS))
                .isEqualTo("load: h2load cannot send requests whose bodies are checked (bodyContains)");
        assertThat(refused(
                        load(LoadEngine.WRK, OptionalDouble.empty(), get),
                        protocol(new Phase.Load("warm", Duration.ofMillis(1500)))))
                .isEqualTo("load: wrk cannot send for a part of a second (phase warm)");
    }

    @Test
    void requestsThatDifferAndAChoiceOfSuccessAreRefused() {
        Call drawn =
                new Call("GET", "http://localhost:1/${random:1-9}", Map.of(), Optional.empty(), 1, Optional.empty());
        assertThat(refused(load(LoadEngine.WRK, OptionalDouble.empty(), drawn), TWO_SECONDS))
                .isEqualTo("load: wrk cannot send requests that differ"
                        + " (a feed, ${random:...}, ${uuid} or ${sequence})");
        LoadTemplate some = new LoadTemplate(
                List.of(call("GET", Optional.empty(), Optional.empty())),
                10,
                OptionalDouble.empty(),
                Duration.ofSeconds(5),
                LoadEngine.H2LOAD,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(new Success(List.of("404"))));
        assertThat(refused(some, TWO_SECONDS))
                .isEqualTo("load: h2load cannot send requests of which you say what is a success (success)");
    }

    @Test
    void kilnsOwnDriverSendsThemAll() {
        LoadTemplate all = load(LoadEngine.KILN, OptionalDouble.of(3), call("PUT", Optional.of("x"), Optional.of("y")));
        assertThatCode(() -> check(all, protocol(new Phase.Load("a", Duration.ofMillis(10)))))
                .doesNotThrowAnyException();
    }
}
