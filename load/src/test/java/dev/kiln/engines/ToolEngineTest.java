package dev.kiln.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.Programs;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.LoadTemplate.TemplateCall;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadSpec.Step;
import dev.kiln.model.load.Sending;
import dev.kiln.model.load.Sending.Http2;
import dev.kiln.model.load.Sending.Success;
import java.nio.file.Path;
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

    private static TemplateCall call(String method, Optional<String> body, Optional<String> contains) {
        return new TemplateCall(
                method, "http://localhost:1/", Map.of(), body, 1, contains, Optional.empty(), Optional.empty());
    }

    private static LoadTemplate load(LoadEngine engine, OptionalDouble rate, TemplateCall... calls) {
        return EngineLoads.of(LoadTemplate.LoadEngine.KILN, new Sending(10, rate, Duration.ofSeconds(5)), calls)
                .with(engine);
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
        TemplateCall get = call("GET", Optional.empty(), Optional.empty());
        TemplateCall post = call("POST", Optional.of("{}"), Optional.empty());
        for (LoadEngine engine : List.of(LoadEngine.KILN, Wrk.NAME, H2load.NAME)) {
            assertThatCode(() -> check(load(engine, OptionalDouble.empty(), get), TWO_SECONDS))
                    .doesNotThrowAnyException();
        }
        assertThatCode(() -> check(load(H2load.NAME, OptionalDouble.empty(), post), TWO_SECONDS))
                .doesNotThrowAnyException();
        assertThat(refused(load(Wrk.NAME, OptionalDouble.empty(), post), TWO_SECONDS))
                .isEqualTo("load: wrk cannot send POST with a body");
    }

    @Test
    void whatTheyCannotIsRefused() {
        TemplateCall get = call("GET", Optional.empty(), Optional.empty());
        assertThat(refused(load(Wrk.NAME, OptionalDouble.of(100), get), TWO_SECONDS))
                .isEqualTo("load: wrk cannot send an open loop (rate)");
        assertThat(refused(load(H2load.NAME, OptionalDouble.empty(), get, get), TWO_SECONDS))
                .isEqualTo("load: h2load cannot send several calls");
        assertThat(refused(
                        load(H2load.NAME, OptionalDouble.empty(), call("GET", Optional.empty(), Optional.of("apple"))),
                        TWO_SECONDS))
                .isEqualTo("load: h2load cannot send requests whose bodies are checked (bodyContains)");
        assertThat(refused(
                        load(Wrk.NAME, OptionalDouble.empty(), get),
                        protocol(new Phase.Load("warm", Duration.ofMillis(1500)))))
                .isEqualTo("load: wrk cannot send for a part of a second (phase warm)");
    }

    @Test
    void loadUntilItIsSteadyNeedsSecondsToJudge() {
        Protocol steady = protocol(new Phase.Load(
                "warm",
                Duration.ofSeconds(90),
                Optional.of(Duration.ofSeconds(60)),
                Optional.empty(),
                Optional.empty()));
        TemplateCall get = call("GET", Optional.empty(), Optional.empty());
        for (LoadEngine engine : List.of(Wrk.NAME, H2load.NAME)) {
            assertThatCode(() -> check(load(engine, OptionalDouble.empty(), get), steady))
                    .doesNotThrowAnyException();
        }
        Engine blind = new ToolEngine(new Wrk(new ProcFs(Path.of("/nowhere"))));
        assertThatThrownBy(() -> blind.check(load(Wrk.NAME, OptionalDouble.empty(), get), steady))
                .isInstanceOf(KilnException.class)
                .hasMessage("load: wrk cannot send load until it is steady, because this kernel does not count its"
                        + " writes: there is no /proc/PID/io (phase warm)");
        assertThatCode(() -> blind.check(load(Wrk.NAME, OptionalDouble.empty(), get), TWO_SECONDS))
                .doesNotThrowAnyException();
    }

    @Test
    void aLoadUntilItIsKnownNeedsKilnsOwnDriverAndAThroughputThatTheServiceSets() {
        Protocol known = protocol(Phase.Load.untilKnown("warm", Duration.ofSeconds(30), Duration.ofSeconds(90)));
        TemplateCall get = call("GET", Optional.empty(), Optional.empty());
        assertThat(refused(load(Wrk.NAME, OptionalDouble.empty(), get), known))
                .isEqualTo("load: wrk cannot send load until it is known, which Kiln's own driver can (phase warm)");
        assertThatCode(() -> check(load(LoadEngine.KILN, OptionalDouble.empty(), get), known))
                .doesNotThrowAnyException();
        assertThat(refused(load(LoadEngine.KILN, OptionalDouble.of(100), get), known))
                .isEqualTo("phase warm ends when its throughput is known (until-known), and the load's rate sets the"
                        + " throughput");
        TemplateCall thinks = get.with(new Step(false, Duration.ofSeconds(1), Map.of()));
        assertThat(refused(load(LoadEngine.KILN, OptionalDouble.empty(), thinks), known))
                .contains("the load's time to think sets the throughput");
    }

    @Test
    void onlyKilnsOwnDriverSpeaksHttp2() {
        TemplateCall get = call("GET", Optional.empty(), Optional.empty());
        assertThat(refused(http2(load(Wrk.NAME, OptionalDouble.empty(), get), 1), TWO_SECONDS))
                .isEqualTo("load: wrk cannot send requests over HTTP/2");
        LoadTemplate own = load(LoadEngine.KILN, OptionalDouble.empty(), get);
        assertThatCode(() -> check(http2(own, 1000), TWO_SECONDS)).doesNotThrowAnyException();
        assertThat(refused(http2(own.withConnections(101), 1000), TWO_SECONDS))
                .isEqualTo("101 connections of 1000 streams are not between 1 and 100000 requests in flight");
    }

    private static LoadTemplate http2(LoadTemplate load, int streams) {
        return load.with(new Http2(streams));
    }

    @Test
    void sessionsAreRefused() {
        TemplateCall step =
                call("GET", Optional.empty(), Optional.empty()).with(new Step(true, Duration.ZERO, Map.of()));
        assertThat(refused(load(Wrk.NAME, OptionalDouble.empty(), step), TWO_SECONDS))
                .isEqualTo("load: wrk cannot send requests of users with a session (session)");
    }

    @Test
    void requestsThatDifferAndAChoiceOfSuccessAreRefused() {
        TemplateCall drawn = EngineLoads.call("GET", "http://localhost:1/${random:1-9}");
        assertThat(refused(load(Wrk.NAME, OptionalDouble.empty(), drawn), TWO_SECONDS))
                .isEqualTo("load: wrk cannot send requests that differ"
                        + " (a feed, ${random:...}, ${uuid}, ${sequence} or ${text:...})");
        LoadTemplate some = load(H2load.NAME, OptionalDouble.empty(), call("GET", Optional.empty(), Optional.empty()))
                .with(new Success(List.of("404")));
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
