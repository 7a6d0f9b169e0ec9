package dev.kiln.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.ReadySign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TargetFilesTest {
    @TempDir
    Path dir;

    private Path file(String name) throws IOException {
        Path file = dir.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "");
    }

    private Target target(String... command) {
        return new Target(
                new Target.Program(List.of(command), List.of(), Map.of(), Optional.of(dir)),
                Target.Jvm.USUAL,
                new ReadySign.FirstResponse(Duration.ofSeconds(1)));
    }

    @Test
    void librariesLieBesideTheJar() throws IOException {
        Path app = file("app/app.jar");
        Path library = file("app/lib/main/a.jar");
        Path deep = file("app/lib/main/one/two/b.jar");
        Path text = file("app/lib/a.txt");
        assertThat(TargetFiles.files(target("java", "-jar", "app/app.jar")))
                .contains(app, library)
                .doesNotContain(deep, text);
    }

    @Test
    void aModulePathIsAsDeepAsTheNamesOfItsModules() throws IOException {
        Path main = file("server/jboss-modules.jar");
        Path module = file("server/modules/system/layers/base/org/jboss/as/server/main/server.jar");
        Path own = file("own/org/example/one/two/three/main/own.jar");
        assertThat(TargetFiles.files(
                        target("java", "-jar", "server/jboss-modules.jar", "-mp", "server/modules:own", "org.x")))
                .contains(main, module, own);
        assertThat(TargetFiles.files(target("java", "-jar", "server/jboss-modules.jar", "org.x")))
                .contains(main)
                .doesNotContain(module);
    }
}
