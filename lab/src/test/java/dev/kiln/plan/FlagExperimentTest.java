package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.load.Sending.Arrivals;
import dev.kiln.model.load.Sending.Http2;
import dev.kiln.plan.FlagExperiment.Launch;
import dev.kiln.plan.FlagExperiment.Load;
import dev.kiln.plan.FlagExperiment.Load.Http;
import dev.kiln.plan.FlagExperiment.Variants;
import dev.kiln.plan.load.Defaults;
import dev.kiln.plan.load.LoadBinder;
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
        assertThat(experiment.load().calls()).containsExactly(LoadBinder.get(URL));
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
        Experiment experiment = new FlagExperiment(
                        dir,
                        "mine",
                        new Launch(
                                JAVA,
                                List.of("A=b=c"),
                                Optional.empty(),
                                Optional.of("log:Started"),
                                Optional.of("1m")),
                        new Variants(List.of(), false, List.of()),
                        new Load(
                                URL,
                                List.of(7),
                                Optional.of("100"),
                                Optional.of("2s"),
                                Optional.of("p99 < 200ms"),
                                Optional.empty(),
                                false,
                                Http.HTTP_1,
                                Optional.of("poisson"),
                                Optional.empty(),
                                Optional.empty()),
                        Optional.of("target=0-1,3,load=2"))
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
    void severalConnectionsAreASweep() {
        Experiment experiment = new FlagExperiment(
                        dir,
                        "mine",
                        launch(JAVA),
                        new Variants(List.of(), false, List.of()),
                        new Load(
                                URL,
                                List.of(1, 5),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                false,
                                Http.HTTP_1,
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()),
                        Optional.empty())
                .toExperiment();
        assertThat(experiment.variants())
                .extracting(variant -> variant.connections().orElseThrow())
                .containsExactly(1, 5);
    }

    @Test
    void http2AndItsStreams() {
        assertThat(http(new Http(true, Optional.empty())).toExperiment().load().http2())
                .contains(new Http2(1));
        assertThat(http(new Http(true, Optional.of("100")))
                        .toExperiment()
                        .load()
                        .http2())
                .contains(new Http2(100));
        wrong(http(new Http(false, Optional.of("5"))), "--streams without --http2");
        wrong(http(new Http(true, Optional.of("0"))), "--streams: found '0', expected a whole number from 1 to 1000");
    }

    private FlagExperiment http(Http http) {
        Load load = new Load(
                URL,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                false,
                http,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        return new FlagExperiment(
                dir, "adhoc", launch(JAVA), new Variants(List.of(), false, List.of()), load, Optional.empty());
    }

    private static void wrong(FlagExperiment flags, String message) {
        wrong(flags::toExperiment, message);
    }

    private static void wrong(ThrowingCallable parse, String message) {
        assertThatThrownBy(parse).isInstanceOf(KilnException.class).hasMessageStartingWith(message);
    }

    private FlagExperiment with(List<String> command, String url, List<String> variants, boolean onlyVariants) {
        return flags(dir, launch(command), new Variants(variants, onlyVariants, List.of()), url);
    }

    private static FlagExperiment flags(Path dir, Launch launch, Variants variants, String url) {
        Load load = new Load(
                url,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                false,
                Http.HTTP_1,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        return new FlagExperiment(dir, "adhoc", launch, variants, load, Optional.empty());
    }

    private static Launch launch(List<String> command) {
        return new Launch(command, List.of(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** A plain command with modifiers. */
    static Experiment modified(Path dir, String... modifiers) {
        return flags(dir, launch(JAVA), new Variants(List.of(), false, List.of(modifiers)), URL)
                .toExperiment();
    }
}
