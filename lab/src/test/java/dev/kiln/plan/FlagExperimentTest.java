package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.LoadTemplate.TemplateCall;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.load.Sending.Arrivals;
import dev.kiln.model.load.Sending.Http2;
import dev.kiln.plan.load.Defaults;
import dev.kiln.plan.load.Protocols;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlagExperimentTest {
    private static final String URL = "http://localhost:8080/fruits";
    private static final List<String> JAVA = List.of("java", "Main");

    @TempDir
    private Path dir;

    @Test
    void aUrlAndACommandAreEnough() {
        Experiment experiment = with(JAVA, URL, List.of(), false).toExperiment();
        assertThat(experiment.variants()).extracting(Variant::name).containsExactly("baseline");
        assertThat(experiment.load().calls())
                .containsExactly(new TemplateCall(
                        "GET",
                        URL,
                        Map.of(),
                        Optional.empty(),
                        1,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()));
        assertThat(experiment.load().connections()).isEqualTo(Defaults.CONNECTIONS);
        assertThat(experiment.protocol()).isEqualTo(Protocols.usual());
    }

    @Test
    void theBaselineComesFirst() {
        List<Variant> variants = with(JAVA, URL, List.of("vt=-Da=b -Db='c d'", "big=-Xmx1g"), false)
                .toExperiment()
                .variants();
        assertThat(variants).extracting(Variant::name).containsExactly("baseline", "vt", "big");
        assertThat(variants.getFirst().target().jvmFlags()).isEmpty();
        assertThat(variants.get(1).target().jvmFlags()).containsExactly("-Da=b", "-Db=c d");
    }

    @Test
    void theBaselineCanBeLeftOutOrGiven() {
        assertThat(with(JAVA, URL, List.of("vt=-Da=b"), true).toExperiment().variants())
                .extracting(Variant::name)
                .containsExactly("vt");
        assertThat(with(JAVA, URL, List.of("vt=-Da=b", "baseline=-Xmx1g"), false)
                        .toExperiment()
                        .variants())
                .extracting(Variant::name)
                .containsExactly("vt", "baseline");
    }

    @Test
    void readsEveryFlag() {
        Experiment experiment = flags(JAVA, URL)
                .with(ServiceFlag.ENVIRONMENT, "A=b=c")
                .with(ServiceFlag.READY, "log:Started")
                .with(ServiceFlag.READY_TIMEOUT, "1m")
                .with(ServiceFlag.CONNECTIONS, "7")
                .with(ServiceFlag.RATE, "100")
                .with(ServiceFlag.TIMEOUT, "2s")
                .with(ServiceFlag.SLO, "p99 < 200ms")
                .with(ServiceFlag.ARRIVALS, "poisson")
                .with(ServiceFlag.CPUS, "target=0-1,3,load=2")
                .toExperiment();
        assertThat(experiment.load().connections()).isEqualTo(7);
        assertThat(experiment.load().arrivals()).contains(Arrivals.POISSON);
        assertThat(experiment.load().timeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(experiment.cpus().target()).containsExactly(0, 1, 3);
        assertThat(experiment.cpus().load()).containsExactly(2);
        assertThat(experiment.load().rate()).hasValue(100);
        var target = experiment.variants().getFirst().target();
        assertThat(target.environment()).isEqualTo(Map.of("A", "b=c"));
        assertThat(target.readiness()).isEqualTo(new ReadySign.LogPattern("Started", Duration.ofMinutes(1)));
        assertThat(target.workingDirectory()).contains(dir);
    }

    @Test
    void theCommandStaysAsItWasTyped() {
        List<String> typed = List.of("java", "Main", "-h", "127.0.0.1", "-p", "19203", "--jar", "none.jar", "a b");
        var target = with(typed, URL, List.of(), false)
                .toExperiment()
                .variants()
                .getFirst()
                .target();
        assertThat(target.command()).isEqualTo(typed);
        assertThat(target.workingDirectory()).contains(dir);
    }

    @Test
    void mistakesNameTheirFlag() {
        wrong(
                flags(List.of("java", "-jar", "a.jar"), "http://localhost/")
                        .with(ServiceFlag.REPLICAS, Optional.of("2")),
                "--replicas: found replicas without attach, expected attach: kube:NAMESPACE/deployment/NAME");
        wrong(with(JAVA, "localhost", List.of(), false), "--url: found 'localhost', expected a URL such as");
        wrong(
                with(JAVA, "http://localhost:99999/", List.of(), false),
                "--url: found port 99999 in 'http://localhost:99999/', expected a port from 1 to 65535");
        wrong(with(JAVA, "http://[::1]:0/", List.of(), false), "--url: found port 0 in ");
        wrong(with(JAVA, URL, List.of("-Xmx1g"), false), "--variant: found '-Xmx1g', expected a name and");
        wrong(with(JAVA, URL, List.of("a=-Xa", "a=-Xb"), false), "--variant: found 'a' twice");
        wrong(with(JAVA, URL, List.of("a=-Da='b"), false), "--variant: found '-Da='b', expected a closing '");
        wrong(with(JAVA, URL, List.of(), true), "--only-variants without a variant");
        wrong(() -> FlagExperiment.protocol("load=x"), "--protocol: found 'x', expected a duration");
        wrong(() -> FlagExperiment.protocol("lode=2s"), "--protocol: found 'lode=2s' in 'lode=2s', expected load=");
        wrong(with(List.of(), URL, List.of(), false), "the command: found nothing after --, expected");
        wrong(
                with(List.of("java", "-jar", "app.jar"), URL, List.of(), false),
                "the command: no such jar: " + dir + "/app.jar");
        wrong(with(List.of("app"), URL, List.of("a=-Xa"), false), "variant a: jvmFlags need a command");
    }

    @Test
    void readsProtocolAndRuns() {
        assertThat(FlagExperiment.protocol("load=20s, pause=5s, load=10s").duration())
                .isEqualTo(Duration.ofSeconds(35));
        assertThat(FlagExperiment.runs("2").atMost()).isEqualTo(2);
    }

    @Test
    void aLoadSaysWhatItsOneRequestIs() {
        TemplateCall call = with(JAVA, URL, List.of(), false)
                .with(ServiceFlag.METHOD, "PUT")
                .with(ServiceFlag.HEADER, List.of("Accept: text/plain", "X-Time:10:30", "X-Empty:"))
                .with(ServiceFlag.BODY, "{\"a\": 1}")
                .toExperiment()
                .load()
                .calls()
                .getFirst();
        assertThat(call.method()).isEqualTo("PUT");
        assertThat(call.url()).isEqualTo(URL);
        assertThat(call.headers())
                .containsExactlyInAnyOrderEntriesOf(Map.of("Accept", "text/plain", "X-Time", "10:30", "X-Empty", ""));
        assertThat(call.body()).contains("{\"a\": 1}");
        wrong(
                with(JAVA, URL, List.of(), false).with(ServiceFlag.HEADER, "Accept"),
                "--header: found 'Accept', expected NAME: VALUE");
        wrong(
                with(JAVA, URL, List.of(), false).with(ServiceFlag.HEADER, List.of("Accept: a", "accept: b")),
                "--header: found 'accept' twice, expected each header once");
        wrong(
                with(JAVA, URL, List.of(), false).with(ServiceFlag.BODY, "a"),
                "--body: found it without a method, expected one such as POST beside it");
    }

    @Test
    void severalConnectionsAreASweep() {
        Experiment experiment = flags(JAVA, URL)
                .with(ServiceFlag.CONNECTIONS, List.of("1", "5"))
                .toExperiment();
        assertThat(experiment.variants())
                .extracting(variant -> variant.connections().orElseThrow())
                .containsExactly(1, 5);
    }

    @Test
    void http2AndItsStreams() {
        assertThat(flags(JAVA, URL)
                        .with(ServiceFlag.HTTP2, true)
                        .toExperiment()
                        .load()
                        .http2())
                .contains(new Http2(1));
        assertThat(flags(JAVA, URL)
                        .with(ServiceFlag.HTTP2, true)
                        .with(ServiceFlag.STREAMS, "100")
                        .toExperiment()
                        .load()
                        .http2())
                .contains(new Http2(100));
        wrong(flags(JAVA, URL).with(ServiceFlag.STREAMS, "5"), "--streams without --http2");
        wrong(
                flags(JAVA, URL).with(ServiceFlag.HTTP2, true).with(ServiceFlag.STREAMS, "0"),
                "--streams: found '0', expected a whole number from 1 to 1000");
    }

    /** A file's rules hold for flags too, and all that is wrong is told at once. */
    @Test
    void allMistakesAreToldEachWithItsFlag() {
        FlagExperiment flags = flags(List.of("java", "-Durl=${db.url}", "Main"), URL)
                .with(ServiceFlag.CONNECTIONS, "0")
                .with(ServiceFlag.RATE, "fast")
                .with(ServiceFlag.CPUS, "tarket=1")
                .with(ServiceFlag.CA, "none.pem")
                .with(ServiceFlag.READY, "soon")
                .with(ServiceFlag.READY_TIMEOUT, "5")
                .with(ServiceFlag.ENVIRONMENT, "A")
                .with(ServiceFlag.VARIANT, List.of("a b=-Xmx1g", "=-Xbatch"))
                .with(ServiceFlag.MODIFIERS, "c=cpu-quota:1,xbach");
        assertThatThrownBy(flags::toExperiment)
                .isInstanceOf(KilnException.class)
                .hasMessage("""
                        --env: found 'A', expected NAME=value
                        --ready: found 'soon', expected a URL, port:PORT or log:REGEX
                        --variant: found '=-Xbatch', expected a name and JVM flags, such as 'vt=-Dsome.switch=true -Xmx512m'
                        --cpus: unknown part 'tarket'; did you mean 'target'?
                        --rate: found 'fast', expected a number above zero
                        --connections: found '0', expected a whole number from 1 to 100000
                        --ca: found 'none.pem', which cannot be read, expected a PEM file with the issuers to trust
                        --ready-timeout: found '5', expected a duration above zero such as 500ms, 20s, 2m or 1m30s
                        --variant: found 'a b', expected a name of letters, digits, '.', '_' and '-', beginning with a letter or digit, 64 at most
                        --with: unknown modifier 'xbach'; did you mean 'xbatch'?""");
        wrong(
                flags(List.of("java", "-Durl=${db.url}", "Main"), URL),
                "variant baseline: found ${db.url} but no database, expected a database such as 'database: postgres' in an"
                        + " experiment file: no option adds one");
        wrong(
                flags(JAVA, URL).with(ServiceFlag.VARIANT, "a=-javaagent:none.jar"),
                "variant a: no such agent: " + dir + "/none.jar");
    }

    private static void wrong(FlagExperiment flags, String message) {
        wrong(flags::toExperiment, message);
    }

    private static void wrong(ThrowingCallable parse, String message) {
        assertThatThrownBy(parse).isInstanceOf(KilnException.class).hasMessageStartingWith(message);
    }

    private FlagExperiment with(List<String> command, String url, List<String> variants, boolean onlyVariants) {
        return flags(command, url).with(ServiceFlag.VARIANT, variants).with(ServiceFlag.ONLY_VARIANTS, onlyVariants);
    }

    private FlagExperiment flags(List<String> command, String url) {
        return new FlagExperiment(dir, command).with(ServiceFlag.URL, url);
    }

    /** A plain command with modifiers. */
    static Experiment modified(Path dir, String... modifiers) {
        return new FlagExperiment(dir, JAVA)
                .with(ServiceFlag.URL, URL)
                .with(ServiceFlag.MODIFIERS, List.of(modifiers))
                .toExperiment();
    }
}
