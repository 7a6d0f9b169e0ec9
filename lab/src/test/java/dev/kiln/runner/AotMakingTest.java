package dev.kiln.runner;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Variant;
import dev.kiln.plan.ExperimentFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AotMakingTest {
    @TempDir
    private Path dir;

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
}
