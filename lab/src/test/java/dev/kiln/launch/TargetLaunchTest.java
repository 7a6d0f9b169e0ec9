package dev.kiln.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.JdkChoice;
import dev.kiln.model.experiment.Target.ReadySign;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TargetLaunchTest {
    @TempDir
    private Path folder;

    /** What is offered to copy finds the same programs as what is launched. */
    @Test
    void aScriptThatIsToldItsJdkKeepsThePath() {
        Path home = Path.of(System.getProperty("java.home"));
        Target target = new Target(
                new Target.Program(List.of("./start.sh"), List.of(), Map.of(), Optional.empty()),
                new Target.Jvm(Optional.of(new JdkChoice.Home(home)), List.of(), List.of(), Optional.empty()),
                new ReadySign.FirstResponse(Duration.ofSeconds(1)));
        try (Lab lab = new Lab("test", folder, CpuRequest.auto(), Secrets.HIDDEN, note -> {}, true)) {
            Map<String, String> environment =
                    new TargetLaunch(lab, target).typed(List.of()).environment();
            assertThat(environment)
                    .containsEntry("PATH", home.resolve("bin") + ":" + System.getenv("PATH"))
                    .containsOnlyKeys("JAVA_HOME", "PATH");
        }
    }
}
