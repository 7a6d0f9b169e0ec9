package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.it.Kiln.Answer;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is wrong before anything runs is told at once: what, where and what to do, and no Java. */
final class BadInputIT {
    private static final int USAGE = 2;
    private static final int MACHINE = 3;

    private final Sandbox sandbox = new Sandbox();

    @AfterEach
    void leaveNothing() {
        // No warm-up, no target, and no empty folder of results.
        sandbox.awaitNoProcess();
        assertThat(sandbox.results()).isEmptyDirectory();
        sandbox.close();
    }

    private static void assertTold(Answer answer, int exit, String... parts) {
        assertThat(answer.exit()).as(answer.err()).isEqualTo(exit);
        assertThat(answer.out()).isEmpty();
        assertThat(answer.err()).startsWith("kiln: ").contains(parts).doesNotContain("warming up");
        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertThat(answer.err().lines().count())
                .as("says what to do: " + answer.err())
                .isGreaterThanOrEqualTo(2);
    }

    private Answer run(String yaml) {
        return Kiln.inProcess(
                "run",
                sandbox.file("x.yaml", yaml).toString(),
                "--results",
                sandbox.results().toString());
    }

    private Answer measure(String url, String... command) {
        String[] args = new String[6 + command.length];
        System.arraycopy(
                new String[] {
                    "run", "--url", url, "--results", sandbox.results().toString(), "--"
                },
                0,
                args,
                0,
                6);
        System.arraycopy(command, 0, args, 6, command.length);
        return Kiln.inProcess(args);
    }

    @Test
    void portTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            int port = taken.getLocalPort();
            assertTold(
                    measure("http://localhost:" + port + "/", "sleep", "${port}"),
                    MACHINE,
                    "port " + port + " is taken",
                    "ss -ltnp");
        }
    }

    @Test
    void unknownHost() {
        assertTold(measure("http://nobody.invalid:80/", "sleep", "${port}"), USAGE, "unknown host", "nobody.invalid");
    }

    @Test
    void noSuchProgram() {
        assertTold(
                measure("http://localhost:${port}/", "no-such-program", "${port}"),
                USAGE,
                "no program 'no-such-program'",
                "PATH");
    }

    @Test
    void missingJar() {
        assertTold(
                measure("http://localhost:${port}/", "java", "-jar", "missing.jar"),
                USAGE,
                "no such jar: " + Path.of("missing.jar").toAbsolutePath());
    }

    @Test
    void missingJarInAFile() {
        assertTold(
                run("target:\n  command: java -jar missing.jar\nload:\n  url: http://localhost:${port}/\n"),
                USAGE,
                "x.yaml:2: ",
                "no such jar: " + sandbox.root().resolve("missing.jar"));
    }

    @Test
    void unknownKey() {
        assertTold(
                run("target:\n  command: sleep 1\nload:\n  url: http://localhost/\n  conections: 5\n"),
                USAGE,
                "x.yaml:5: unknown key 'conections'; did you mean 'connections'?");
    }

    @Test
    void noSuchExperimentFile() {
        assertTold(
                Kiln.inProcess("run", sandbox.root().resolve("none.yaml").toString()),
                USAGE,
                "none.yaml: no such file");
    }

    @Test
    void notYaml() {
        assertTold(run("target: [sleep\n"), USAGE, "x.yaml:2: not YAML");
        assertTold(run(""), USAGE, "x.yaml:1: the file is empty");
    }

    @Test
    void noSuchIssuers() {
        assertTold(
                Kiln.inProcess("run", "--url", "https://localhost:${port}/", "--ca", "no-such.pem", "--", "sleep", "1"),
                USAGE,
                "--ca",
                "no-such.pem");
    }

    @Test
    void notAUrl() {
        assertTold(measure("nonsense", "sleep", "${port}"), USAGE, "--url: found 'nonsense'", "http://");
    }

    @Test
    void unknownCommand() {
        assertTold(
                Kiln.inProcess("frobnicate"), USAGE, "unknown command 'frobnicate'; there are", "run", "kiln --help");
    }

    @Test
    void unknownOption() {
        assertTold(Kiln.inProcess("run", "--conections", "5"), USAGE, "--conections", "kiln run --help");
    }

    @Test
    void noSuchCpu() {
        assertTold(
                Kiln.inProcess(
                        "run",
                        "--url",
                        "http://localhost:${port}/",
                        "--cpus",
                        "target=4095",
                        "--results",
                        sandbox.results().toString(),
                        "--",
                        "sleep",
                        "${port}"),
                USAGE,
                "CPU 4095, requested for the target,",
                "choose among CPUs");
    }

    @Test
    void resultsWhereAFileIs() {
        Path file = sandbox.file("results.txt", "");
        assertTold(
                Kiln.inProcess(
                        "run",
                        "--url",
                        "http://localhost:${port}/",
                        "--results",
                        file.toString(),
                        "--",
                        "sleep",
                        "${port}"),
                MACHINE,
                "cannot create " + file,
                "--results DIR");
    }

    @Test
    void reportOfNothing() throws Exception {
        Path empty = Files.createDirectory(sandbox.root().resolve("empty"));
        assertTold(Kiln.inProcess("report", empty.toString()), USAGE, "no run that can be read in " + empty);
        assertTold(Kiln.inProcess("report", empty + "/none"), USAGE, "no such folder: " + empty);
    }

    @Test
    void reportOfACorruptRun() throws Exception {
        Path corrupt = sandbox.root().resolve("corrupt");
        Path run = Files.createDirectories(corrupt.resolve("variant").resolve("1"));
        Files.writeString(run.resolve("run.json"), "{\"schemaVersion\": 1,");
        assertTold(Kiln.inProcess("report", corrupt.toString()), USAGE, "Kiln cannot read " + run.resolve("run.json"));
    }
}
