package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.Experiment;
import dev.kiln.model.KilnException;
import dev.kiln.model.Target.Readiness;
import dev.kiln.model.Variant;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlagExperimentTest {
    private static final String URL = "http://localhost:8080/fruits";
    private static final List<String> JAVA = List.of("java", "Main");

    @TempDir
    private Path dir;

    @Test
    void aUrlAndACommandAreEnough() {
        Experiment experiment = with(JAVA, URL, List.of(), false, "quick").toExperiment();
        assertThat(experiment.variants()).extracting(Variant::name).containsExactly("baseline");
        assertThat(experiment.load().calls()).containsExactly(LoadBinder.get(URL));
        assertThat(experiment.load().connections()).isEqualTo(Defaults.CONNECTIONS);
        assertThat(experiment.protocol()).isEqualTo(Protocols.quick());
    }

    @Test
    void theBaselineComesFirst() {
        List<Variant> variants = with(JAVA, URL, List.of("vt=-Da=b -Db='c d'", "big=-Xmx1g"), false, "quick")
                .toExperiment()
                .variants();
        assertThat(variants).extracting(Variant::name).containsExactly("baseline", "vt", "big");
        assertThat(variants.getFirst().target().jvmFlags()).isEmpty();
        assertThat(variants.get(1).target().jvmFlags()).containsExactly("-Da=b", "-Db=c d");
    }

    @Test
    void theBaselineCanBeLeftOutOrGiven() {
        assertThat(with(JAVA, URL, List.of("vt=-Da=b"), true, "quick")
                        .toExperiment()
                        .variants())
                .extracting(Variant::name)
                .containsExactly("vt");
        assertThat(with(JAVA, URL, List.of("vt=-Da=b", "baseline=-Xmx1g"), false, "quick")
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
                        JAVA,
                        URL,
                        OptionalInt.of(7),
                        OptionalDouble.of(100),
                        Optional.of("2s"),
                        List.of(),
                        false,
                        List.of(),
                        Optional.of("load=20s, pause=5s, load=10s"),
                        Optional.of("2"),
                        OptionalLong.of(9),
                        Optional.empty(),
                        Optional.of("target=0-1,3,load=2"),
                        List.of("A=b=c"),
                        Optional.of("log:Started"),
                        Optional.of("1m"))
                .toExperiment();
        assertThat(experiment.protocol().duration()).isEqualTo(Duration.ofSeconds(35));
        assertThat(experiment.cpus().target()).containsExactly(0, 1, 3);
        assertThat(experiment.cpus().load()).containsExactly(2);
        assertThat(experiment.seed()).isEqualTo(9);
        assertThat(experiment.load().rate()).hasValue(100);
        var target = experiment.variants().getFirst().target();
        assertThat(target.environment()).isEqualTo(Map.of("A", "b=c"));
        assertThat(target.readiness()).isEqualTo(new Readiness.LogPattern("Started", Duration.ofMinutes(1)));
        assertThat(target.workingDirectory()).contains(dir);
    }

    @Test
    void mistakesNameTheirFlag() {
        wrong(with(JAVA, "localhost", List.of(), false, "quick"), "--url: found 'localhost', expected a URL such as");
        wrong(with(JAVA, URL, List.of("-Xmx1g"), false, "quick"), "--variant: found '-Xmx1g', expected a name and");
        wrong(with(JAVA, URL, List.of("a=-Xa", "a=-Xb"), false, "quick"), "--variant: found 'a' twice");
        wrong(with(JAVA, URL, List.of("a=-Da='b"), false, "quick"), "--variant: found '-Da='b', expected a closing '");
        wrong(with(JAVA, URL, List.of(), true, "quick"), "--variant: found --only-variants without any");
        wrong(with(JAVA, URL, List.of(), false, "load=x"), "--protocol: found 'x', expected a duration");
        wrong(with(JAVA, URL, List.of(), false, "lode=2s"), "--protocol: found 'lode=2s' in 'lode=2s', expected load=");
        wrong(with(List.of(), URL, List.of(), false, "quick"), "the command: found nothing after --, expected");
        wrong(
                with(List.of("java", "-jar", "app.jar"), URL, List.of(), false, "quick"),
                "the command: no such jar: " + dir + "/app.jar");
        wrong(with(List.of("app"), URL, List.of("a=-Xa"), false, "quick"), "variant a: jvmFlags need a command");
    }

    private static void wrong(FlagExperiment flags, String message) {
        assertThatThrownBy(flags::toExperiment)
                .isInstanceOf(KilnException.class)
                .hasMessageStartingWith(message);
    }

    private FlagExperiment with(
            List<String> command, String url, List<String> variants, boolean onlyVariants, String protocol) {
        return new FlagExperiment(
                dir,
                "adhoc",
                command,
                url,
                OptionalInt.empty(),
                OptionalDouble.empty(),
                Optional.empty(),
                variants,
                onlyVariants,
                List.of(),
                Optional.of(protocol),
                Optional.empty(),
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty());
    }

    /** A plain command with modifiers. */
    static Experiment modified(Path dir, String... modifiers) {
        return new FlagExperiment(
                        dir,
                        "adhoc",
                        JAVA,
                        URL,
                        OptionalInt.empty(),
                        OptionalDouble.empty(),
                        Optional.empty(),
                        List.of(),
                        false,
                        List.of(modifiers),
                        Optional.empty(),
                        Optional.empty(),
                        OptionalLong.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        Optional.empty(),
                        Optional.empty())
                .toExperiment();
    }
}
