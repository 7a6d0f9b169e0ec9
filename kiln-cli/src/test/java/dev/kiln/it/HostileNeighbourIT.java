package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.it.Kiln.Answer;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Another user of the machine who plants a pipe, a link, a socket's name and an attach file for every process of this
 * test's, signals them all, and knocks at every port of the database: the run is what it is without him, but for what he
 * makes the JVM itself refuse, and that is told.
 */
@Isolated("he disturbs the JVMs of other tests too")
final class HostileNeighbourIT {
    /** He does not know which processes are a test's, so he takes all that are new. Their numbers may have begun anew. */
    private static final String NEIGHBOUR = """
            evil=/tmp/hsperfdata_kiln-neighbour; mkdir -p $evil; ln -sfn /etc /tmp/hsperfdata_kiln-linked
            before=$(cd /proc && echo ' ' [0-9]* ' ')
            while :; do
              for p in /proc/[0-9]*; do
                n=${p#/proc/}
                [[ $before == *" $n "* ]] || [ "$n" = $$ ] || [ -e $evil/$n ] && continue
                mkfifo $evil/$n 2>/dev/null
                ln -s /etc/shadow /tmp/.java_pid$n 2>/dev/null
                : 2>/dev/null > /tmp/.attach_pid$n
                kill -9 $n; kill -3 $n
              done 2>/dev/null
              for port in $(seq 8100 20 9899); do
                (printf 'GET / HTTP/1.0\\r\\n\\r\\n' > /dev/tcp/127.0.0.1/$port) 2>/dev/null
              done
              sleep 0.1
            done
            """;

    private final Sandbox sandbox = new Sandbox();
    private Process neighbour;

    @BeforeEach
    void comes() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can be two users");
        Path script = sandbox.file("neighbour.sh", NEIGHBOUR);
        neighbour = new ProcessBuilder(
                        "setpriv", "--reuid=65533", "--regid=65533", "--clear-groups", "--", "bash", script.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private void leaves() throws InterruptedException {
        neighbour.descendants().forEach(ProcessHandle::destroyForcibly);
        neighbour.destroyForcibly().waitFor();
    }

    @AfterEach
    void goes() throws Exception {
        if (neighbour != null) {
            leaves();
            try (Stream<Path> all = Files.list(Path.of("/tmp"))) {
                for (Path path : all.filter(HostileNeighbourIT::isHis).toList()) {
                    new ProcessBuilder("rm", "-rf", path.toString()).start().waitFor();
                }
            }
        }
        sandbox.close();
    }

    private static boolean isHis(Path path) {
        try {
            return Files.getAttribute(path, "unix:uid", java.nio.file.LinkOption.NOFOLLOW_LINKS)
                            .equals(65533)
                    && List.of(".java_pid", ".attach_pid", "hsperfdata_kiln-").stream()
                            .anyMatch(path.getFileName().toString()::startsWith);
        } catch (IOException e) {
            return false;
        }
    }

    @FullRun
    @Test
    void changesNothing() throws Exception {
        sandbox.file("fill.sql", "create table fruit (name text); insert into fruit values ('apple');");
        Path file = sandbox.file("beside.yaml", """
                target:
                  command: %s
                load:
                  url: http://localhost:${port}/
                  connections: 3
                protocol: [{load: 6s}, {pause: 1s}, {load: 3s}]
                runs: 1
                repeat: false
                database:
                  script: fill.sql
                """.formatted(Kiln.CURVE_SERVER));

        Answer answer = Kiln.start(
                        sandbox,
                        "run",
                        file.toString(),
                        "--results",
                        sandbox.results().toString())
                .end();

        JsonNode run = JsonMapper.shared()
                .readTree(Files.readString(sandbox.run("baseline").resolve("run.json")));
        assertThat(run.get("outcome").asString()).as(answer.err()).isEqualTo("COMPLETED");
        assertThat(run.at("/jvm/version").asString())
                .as("the JVM's own counters, and no pipe or link in their place")
                .isEqualTo(System.getProperty("java.vm.version"));
        assertThat(Files.readString(sandbox.run("baseline").resolve("target.log")))
                .doesNotContain("Full thread dump");
        assertThat(Files.readAllLines(sandbox.run("baseline").resolve("compiler.csv")))
                .hasSizeGreaterThan(20);
        assertThat(neighbour.isAlive()).isTrue();
        try (Stream<Path> planted = Files.list(Path.of("/tmp/hsperfdata_kiln-neighbour"))) {
            assertThat(planted).as("he was there").isNotEmpty();
        }
        leaves();
        sandbox.awaitNoProcess();
        assertThat(sandbox.remains()).isEmpty();
    }
}
