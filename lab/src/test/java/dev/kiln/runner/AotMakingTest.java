package dev.kiln.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.host.process.PinnedProcess;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.run.FlightDigest.HotMethod;
import dev.kiln.plan.ExperimentFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AotMakingTest {
    @TempDir
    private Path dir;

    @Test
    void coverageIsOfSamplesAndNotOfMethods() {
        List<HotMethod> hot = List.of(
                new HotMethod(0, "a.A.a", 60, 0, 0, 0, 0),
                new HotMethod(0, "a.B.b", 10, 5, 5, 4, 0),
                new HotMethod(10_000_000_000L, "a.A.a", 0, 10, 10, 4, 0));

        assertThat(made("a.A.a", "a.C.c").coverage(hot)).contains(0.8);
        assertThat(made("a.C.c").coverage(hot)).contains(0.0);
        assertThat(made("a.A.a").coverage(List.of())).isEmpty();
        assertThat(made().coverage(hot)).as("nobody asked").isEmpty();
    }

    private static AotMaking.Made made(String... profiled) {
        return new AotMaking.Made(Path.of("app.aot"), "traffic", Optional.empty(), Set.of(profiled));
    }

    /** As when the observer's effect is measured on the first variant alone. */
    @Test
    void aCacheOfAVariantThatIsNotRunIsToldBeforeAnyIsMade() throws IOException {
        List<Variant> variants = ExperimentFile.read(Files.writeString(dir.resolve("a.yaml"), """
                        target: {command: java Main}
                        variants:
                          own: {aot: {train: startup}}
                          lent: {aot: {of: own}}
                        load: {url: http://localhost:8080/, connections: [5]}
                        """))
                .variants();

        assertThatThrownBy(() -> AotMaking.all(
                        variants.subList(1, 2),
                        () -> {
                            throw new AssertionError("no cache is to be made");
                        },
                        dir))
                .isInstanceOf(KilnException.class)
                .hasMessage("variant lent-c5 takes the AOT cache of own-c5, which is not run here");
    }

    /** A JVM that gives up on the way may end well and leave an empty cache. */
    @Test
    void anEmptyCacheIsNone() throws IOException {
        try (Bench bench = new Bench()) {
            AotSteps steps = new AotSteps(dir, (message, log) -> KilnException.usage(message, log), new Cancellation());
            AotSteps.Starting ending = (flags, log) -> {
                PinnedProcess process = bench.start(dir, Map.of(), List.of("true"), log);
                return new AotSteps.Started(process, process::stop);
            };
            Files.createFile(steps.cache());

            assertThatThrownBy(() -> steps.create(ending))
                    .isInstanceOf(KilnException.class)
                    .hasMessageContaining("the JVM created none from the recording");

            Files.writeString(steps.cache(), "a cache");
            steps.create(ending);
        }
    }
}
