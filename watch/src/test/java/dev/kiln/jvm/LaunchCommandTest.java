package dev.kiln.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.JdkChoice;
import dev.kiln.model.experiment.Target.ReadySign;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LaunchCommandTest {
    private static final Map<String, String> INHERITED = Map.of("PATH", "/usr/bin");

    private static Target target(List<String> command, Optional<Path> jdk, String... flags) {
        return new Target(
                new Target.Program(command, List.of("--port=1"), Map.of("A", "b"), Optional.empty()),
                new Target.Jvm(jdk.map(JdkChoice.Home::new), List.of(flags), List.of(), Optional.empty()),
                new ReadySign.FirstResponse(Duration.ofSeconds(1)));
    }

    private static LaunchCommand of(Target target) {
        return LaunchCommand.of(target, INHERITED);
    }

    /** As in a shell: Kiln's own JDK is not in the way. */
    @Test
    void javaIsTheUsersJava() {
        LaunchCommand launch = of(target(List.of("java", "-jar", "app.jar"), Optional.empty(), "-Xmx1g", "-Xint"));
        assertThat(launch.command()).containsExactly("java", "-Xmx1g", "-Xint", "-jar", "app.jar", "--port=1");
        assertThat(launch.environment()).isEqualTo(Map.of("A", "b"));
        assertThat(of(target(List.of("./server"), Optional.empty())).environment())
                .isEqualTo(Map.of("A", "b"));
    }

    /** A JVM obeys these variables without a word of the experiment. */
    @Test
    void whatTheTargetsJvmInheritsIsOnRecord() {
        Map<String, String> inherited = Map.of("PATH", "/usr/bin", "JAVA_TOOL_OPTIONS", "-javaagent:slow.jar");
        for (String program : List.of("java", "./start.sh")) {
            LaunchCommand launch = LaunchCommand.of(target(List.of(program), Optional.empty()), inherited);
            assertThat(launch.environment()).containsEntry("JAVA_TOOL_OPTIONS", "-javaagent:slow.jar");
        }
    }

    @Test
    void elsewhereJavaIsThatPlacesUnlessAJdkIsLent() {
        assertThat(LaunchCommand.elsewhere(target(List.of("java", "X"), Optional.empty(), "-Xint"))
                        .command())
                .containsExactly("java", "-Xint", "X", "--port=1");
        assertThat(LaunchCommand.elsewhere(target(List.of("java", "X"), Optional.of(Path.of("/jdk/own"))))
                        .command()
                        .getFirst())
                .isEqualTo("/jdk/own/bin/java");
        LaunchCommand script = LaunchCommand.elsewhere(target(List.of("/start.sh"), Optional.empty(), "-Xint"));
        assertThat(script.environment())
                .as("nothing of this machine's paths")
                .isEqualTo(Map.of("A", "b", "JDK_JAVA_OPTIONS", "-Xint"));
    }

    @Test
    void aJdkOfTheTargetsOwnWins() {
        Optional<Path> own = Optional.of(Path.of("/jdk/own"));
        assertThat(of(target(List.of("java", "X"), own)).command().getFirst()).isEqualTo("/jdk/own/bin/java");
        assertThat(of(target(List.of("/opt/x/bin/java", "X"), own)).command().getFirst())
                .isEqualTo("/jdk/own/bin/java");
    }

    @Test
    void aPathToJavaIsKeptUnlessAJdkIsNamed() {
        assertThat(of(target(List.of("/opt/x/bin/java", "X"), Optional.empty()))
                        .command()
                        .getFirst())
                .isEqualTo("/opt/x/bin/java");
    }

    @Test
    void aScriptIsToldByItsEnvironment() {
        LaunchCommand launch =
                of(target(List.of("./run.sh"), Optional.of(Path.of("/jdk/own")), "-Xmx1g", "-Dx=a b", "-Dy=\"q\""));
        assertThat(launch.command()).containsExactly("./run.sh", "--port=1");
        assertThat(launch.environment())
                .containsEntry("JAVA_HOME", "/jdk/own")
                .containsEntry("PATH", "/jdk/own/bin:/usr/bin")
                .containsEntry("JDK_JAVA_OPTIONS", "-Xmx1g \"-Dx=a b\" '-Dy=\"q\"'");
    }

    @Test
    void optionsThatAreThereAlreadyStay() {
        Map<String, String> inherited = Map.of("PATH", "/usr/bin", "JDK_JAVA_OPTIONS", "-Xss1m");
        LaunchCommand launch = LaunchCommand.of(target(List.of("./run.sh"), Optional.empty(), "-Xmx1g"), inherited);
        assertThat(launch.environment()).containsEntry("JDK_JAVA_OPTIONS", "-Xss1m -Xmx1g");
        assertThat(of(target(List.of("./run.sh"), Optional.empty())).environment())
                .doesNotContainKey("JDK_JAVA_OPTIONS");
    }
}
