package dev.kiln.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings.Hyperfoil;
import dev.kiln.model.experiment.LoadTemplate.TemplateCall;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.LoadSpec.Step;
import dev.kiln.model.load.Sending;
import dev.kiln.model.load.Sending.Http2;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What is refused before anything starts, and what a controller is sent. */
class HyperfoilEngineTest {
    private static final URI NOWHERE = URI.create("http://127.0.0.1:9");
    private static final Phase.Load PHASE = new Phase.Load("warm", Duration.ofMillis(2500));
    private static final Protocol PROTOCOL = new Protocol("test", List.of(PHASE));

    @TempDir
    Path dir;

    private static Hyperfoil at(URI controller) {
        return new Hyperfoil(controller, Optional.empty(), List.of(), 1, Optional.empty());
    }

    private static TemplateCall call(String method, Map<String, String> headers, Optional<String> contains) {
        return new TemplateCall(
                method,
                "http://localhost:${port}/x",
                headers,
                Optional.empty(),
                1,
                contains,
                Optional.empty(),
                Optional.empty());
    }

    private static LoadTemplate load(Hyperfoil settings, TemplateCall... calls) {
        Sending sending = new Sending(10, OptionalDouble.empty(), Duration.ofSeconds(5));
        return EngineLoads.of(Hyperfoil.ENGINE, sending, calls).with(settings);
    }

    private static void check(LoadTemplate load, Protocol protocol) {
        Engines.of(load).check(load, protocol);
    }

    private static KilnException refused(LoadTemplate load, Protocol protocol) {
        return catchThrowableOfType(KilnException.class, () -> check(load, protocol));
    }

    private static String usage(LoadTemplate load, Protocol protocol) {
        KilnException e = refused(load, protocol);
        assertThat(e.exit()).isEqualTo(Exit.USAGE);
        return String.valueOf(e.getMessage());
    }

    private static final TemplateCall GET = call("GET", Map.of(), Optional.empty());

    @Test
    void whatItCannotSendIsRefused() {
        assertThat(usage(load(at(NOWHERE), GET, GET), PROTOCOL)).isEqualTo("load: hyperfoil cannot send several calls");
        LoadTemplate http2 = load(at(NOWHERE), GET).with(new Http2(1));
        assertThat(usage(http2, PROTOCOL)).isEqualTo("load: hyperfoil cannot send requests over HTTP/2");
        assertThat(usage(load(at(NOWHERE), call("GET", Map.of(), Optional.of("apple"))), PROTOCOL))
                .contains("bodyContains");
        assertThat(usage(load(at(NOWHERE), call("BREW", Map.of(), Optional.empty())), PROTOCOL))
                .isEqualTo("load: hyperfoil cannot send BREW");
        assertThat(usage(load(at(NOWHERE), call("GET", Map.of("X", "$${a}"), Optional.empty())), PROTOCOL))
                .contains("headers with a ${...} of their own");
        Hyperfoil wide =
                new Hyperfoil(NOWHERE, Optional.of("http://lab:${port}"), List.of("a", "b", "c"), 4, Optional.empty());
        assertThat(usage(load(wide, GET), PROTOCOL)).contains("10 connections are fewer than the 12 threads");
    }

    @Test
    void agentsElsewhereCannotReachLocalhost() {
        Hyperfoil elsewhere = at(URI.create("http://lab1:8090"));
        assertThat(usage(load(elsewhere, GET), PROTOCOL))
                .isEqualTo("load: agents on other machines cannot reach localhost");
        Hyperfoil agents = new Hyperfoil(NOWHERE, Optional.empty(), List.of("root@lab2:22"), 1, Optional.empty());
        assertThat(usage(load(agents, GET), PROTOCOL)).contains("cannot reach localhost");
    }

    @Test
    void aControllerThatIsNotThereIsTold() throws IOException {
        KilnException e = refused(load(at(NOWHERE), GET), PROTOCOL);
        assertThat(e.exit()).isEqualTo(Exit.MACHINE);
        assertThat(e.getMessage())
                .startsWith("load: no controller of Hyperfoil answers at http://127.0.0.1:9: no connection");
        try (StandInController controller = new StandInController()) {
            assertThatCode(() -> check(load(at(controller.url()), GET), PROTOCOL))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void sessionsAreRefused() {
        LoadTemplate session = load(at(NOWHERE), GET.with(new Step(true, Duration.ZERO, Map.of())));
        assertThat(usage(session, PROTOCOL)).contains("requests of users with a session (session)");
    }

    @Test
    void withoutSettingsTheControllerIsAskedFor() {
        LoadTemplate bare =
                EngineLoads.of(Hyperfoil.ENGINE, new Sending(10, OptionalDouble.empty(), Duration.ofSeconds(5)), GET);
        assertThat(usage(bare, PROTOCOL)).isEqualTo("load: engine hyperfoil needs a controller");
    }

    @Test
    void aBenchmarkOfOnesOwnWantsOneLoadPhase() throws IOException {
        Path own = Files.writeString(
                dir.resolve("own.yaml"), "# name: no\nname: \"my fruits\" # mine\nphases:\n- name: x\n");
        Hyperfoil settings = new Hyperfoil(NOWHERE, Optional.empty(), List.of(), 1, Optional.of(own));
        Protocol two = new Protocol("two", List.of(PHASE, PHASE));
        assertThat(usage(load(settings, GET), two)).contains("the protocol has 2 load phases");
        assertThat(HyperfoilBenchmark.nameOf(own, Files.readString(own))).isEqualTo("my fruits");
        Files.writeString(own, "phases: []\n");
        assertThat(usage(load(settings, GET), PROTOCOL)).startsWith(own + ": found no name");
    }

    private static LoadSpec spec(OptionalDouble rate) {
        HttpCall call = new HttpCall(
                "POST",
                URI.create("http://localhost:8080/a?x=%24"),
                Map.of("X-Test", "it's"),
                Optional.of("{\"a\": \"${b}\"}"),
                1,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        return new LoadSpec(List.of(call), 10, rate, Duration.ofSeconds(5));
    }

    private static JsonNode made(OptionalDouble rate, Hyperfoil settings, String version) {
        String yaml = HyperfoilBenchmark.of("kiln-1", spec(rate), PHASE, settings, version)
                .yaml();
        return StandInController.JSON.readTree(yaml.replace("\n#", "\n"));
    }

    @Test
    void theBenchmarkAsksForWhatTheProtocolDoes() {
        Hyperfoil settings = new Hyperfoil(
                NOWHERE, Optional.of("http://10.0.0.5:${port}"), List.of("root@lab2:22"), 2, Optional.empty());
        JsonNode closed = made(OptionalDouble.empty(), settings, "0.30");
        assertThat(closed.at("/http/host").asString()).isEqualTo("http://10.0.0.5:8080");
        assertThat(closed.at("/http/useHttpCache").asBoolean(true)).isFalse();
        assertThat(closed.at("/http/requestTimeout").asString()).isEqualTo("5000ms");
        assertThat(closed.at("/agents/root_lab2_22").asString()).isEqualTo("root@lab2:22");
        assertThat(closed.path("threads").asInt()).isEqualTo(2);
        JsonNode always = closed.at("/phases/0/warm/always");
        assertThat(always.path("users").asInt()).isEqualTo(10);
        assertThat(always.path("duration").asString()).isEqualTo("2500ms");
        JsonNode request = always.at("/scenario/0/request/0/httpRequest");
        assertThat(request.at("/POST/value").asString()).isEqualTo("/a?x=%24");
        assertThat(request.at("/headers/X-Test").asString()).isEqualTo("it's");
        assertThat(request.at("/body/text").asString()).isEqualTo("{\"a\": \"${b}\"}");
    }

    @Test
    void theTargetsPlaceholdersAreThoseOfTheCall() {
        Hyperfoil settings =
                new Hyperfoil(NOWHERE, Optional.of("http://${host}:${port}"), List.of(), 1, Optional.empty());
        assertThat(made(OptionalDouble.empty(), settings, "0.30")
                        .at("/http/host")
                        .asString())
                .isEqualTo("http://localhost:8080");
    }

    @Test
    void anOpenLoopIsAConstantRateWithRoomForWhatWaits() {
        JsonNode open = made(OptionalDouble.of(200), at(NOWHERE), "0.25.2").at("/phases/0/warm/constantRate");
        assertThat(open.path("usersPerSec").asDouble()).isEqualTo(200);
        assertThat(open.path("variance").asBoolean(true)).isFalse();
        assertThat(open.path("maxSessions").asInt()).isEqualTo(1000);
        String schedule = "/ergonomics/compensateInternalLatency";
        assertThat(made(OptionalDouble.of(200), at(NOWHERE), "0.30-SNAPSHOT")
                        .at(schedule)
                        .asBoolean(false))
                .isTrue();
        assertThat(made(OptionalDouble.of(200), at(NOWHERE), "0.28.1")
                        .at(schedule)
                        .isMissingNode())
                .isTrue();
        assertThat(made(OptionalDouble.of(200), at(NOWHERE), "0.25.2")
                        .at("/http/useHttpCache")
                        .isMissingNode())
                .as("an older version does not know it")
                .isTrue();
    }
}
