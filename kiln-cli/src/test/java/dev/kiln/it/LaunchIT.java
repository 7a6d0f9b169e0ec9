package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.evidence.RunReader;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.RunInfo.NotRecorded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A command is run as a shell would run it, and what serves is what is recorded. */
@Execution(ExecutionMode.CONCURRENT)
final class LaunchIT {
    private static final String LOAD = """
            load: {url: 'http://localhost:${port}/', connections: 2}
            protocol: [{load: 3s}]
            runs: 1
            """;

    private static final String SERVER = " -cp " + Kiln.fixtures() + " dev.kiln.fixtures.CurveServer --port ${port}\n";

    private final Sandbox sandbox = new Sandbox();

    @AfterEach
    void close() {
        sandbox.close();
    }

    /** @param path in the environment of Kiln, as of the shell that started it */
    private Answer run(String path, String target) {
        Path file = sandbox.file("launched.yaml", target + LOAD);
        ProcessBuilder jvm = sandbox.jvm();
        jvm.environment().put("PATH", path);
        return Kiln.start(sandbox, jvm, "run", file.toString()).end();
    }

    private RunInfo info() {
        return RunReader.read(sandbox.run("baseline")).info();
    }

    /** A java that leaves a mark: a user's own, and not the one that runs Kiln. */
    private Path mine() throws IOException {
        Path bin = Files.createDirectories(sandbox.root().resolve("bin"));
        Path java = Files.writeString(bin.resolve("java"), "#!/bin/sh\nexec " + Kiln.JAVA + " -Dwhose=users \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        return bin;
    }

    @Test
    void javaIsTheOneThatAShellFinds() throws IOException {
        Path bin = mine();
        Answer answer = run(bin + ":/usr/bin:/bin", "target:\n  command: java" + SERVER);
        assertThat(answer.exit()).as(answer.err()).isBetween(0, 1);
        assertThat(info().jvm().orElseThrow().flags()).contains("-Dwhose=users");
        assertThat(info().command()).contains("java").doesNotContain(Kiln.JAVA);
        assertThat(answer.err()).contains("JDK: what " + bin + "/java chooses\n");
        assertThat(answer.out()).contains("\nJDK: " + info().jvm().orElseThrow().text() + "\n");
    }

    @Test
    void aJdkThatIsNamedTakesItsPlace() throws IOException {
        Answer answer = run(
                mine() + ":/usr/bin:/bin",
                "target:\n  jdk: " + System.getProperty("java.home") + "\n  command: java" + SERVER);
        assertThat(answer.exit()).as(answer.err()).isBetween(0, 1);
        assertThat(info().jvm().orElseThrow().flags()).doesNotContain("-Dwhose=users");
        assertThat(answer.err()).contains("JDK: " + JdkFinder.current().text() + "\n");
    }

    @Test
    void withoutAnyJavaNothingRuns() throws IOException {
        Path empty = Files.createDirectories(sandbox.root().resolve("empty"));
        Answer answer = run(empty.toString(), "target:\n  command: java" + SERVER);
        assertThat(answer.exit()).isEqualTo(3);
        assertThat(answer.err())
                .contains(
                        "there is no 'java' in the PATH",
                        "--jdk HOME",
                        JdkFinder.current().text());
        assertThat(sandbox.run("baseline")).doesNotExist();
    }

    /** As the server of Apache Tika does it. */
    @Test
    void theJvmThatServesIsRecordedAndNotTheOneThatStartsIt() throws IOException {
        Path parent = sandbox.file("Parent.java", """
                class Parent {
                    public static void main(String[] command) throws Exception {
                        Thread.sleep(1_500);
                        Process child = new ProcessBuilder(command).inheritIO().start();
                        System.exit(child.waitFor());
                    }
                }
                """);
        Answer answer = run(
                System.getenv("PATH"),
                "target:\n  command: " + Kiln.JAVA + " -Dwho=parent " + parent + " " + Kiln.JAVA + " -Dwho=child"
                        + SERVER);
        assertThat(answer.exit()).as(answer.err()).isBetween(0, 1);
        assertThat(info().jvm().orElseThrow().flags()).contains("-Dwho=child").doesNotContain("-Dwho=parent");
        assertThat(info().notRecorded())
                .extracting(NotRecorded::why)
                .anyMatch(why -> why.startsWith("only the process that serves is recorded in detail, process "));
        assertThat(info().launch().typed().orElseThrow().command()).isEqualTo(typed(parent));
    }

    private static List<String> typed(Path parent) {
        return List.of((Kiln.JAVA + " -Dwho=parent " + parent + " " + Kiln.JAVA + " -Dwho=child" + SERVER)
                .strip()
                .split(" ", -1));
    }
}
