package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.process.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * A service that a script in a sandbox starts anew, as an init system does. It notes each start with the variable for the JVM's flags
 * that it was given, and serves 400 requests a second after 3 s, or after 1 s where that variable has the word {@code quick}.
 */
record OthersService(Sandbox sandbox, int port) {
    private static final String SERVER = "dev.kiln.fixtures.CurveServer";

    /**
     * Writes {@code start.sh}, {@code deaf.sh}, which hands no variable on, {@code foreground.sh}, which serves itself, and
     * {@code stop.sh}.
     */
    static OthersService in(Sandbox sandbox) {
        OthersService service = new OthersService(sandbox, Ports.free());
        service.script("stop.sh", """
                #!/bin/sh
                [ -f service.pid ] || exit 0
                pid=$(cat service.pid)
                kill -9 $pid 2>/dev/null || true
                while [ -e /proc/$pid/exe ]; do sleep 0.05; done
                """);
        String start = """
                #!/bin/sh
                set -e
                ./stop.sh
                echo "start $JAVA_TOOL_OPTIONS" >> done
                case "$JAVA_TOOL_OPTIONS" in *quick*) at=1 ;; *) at=3 ;; esac
                HAND
                nohup %s -Xshare:auto -cp %s %s --port %d --curve step:at=$at,from=100,to=400 > service.log 2>&1 &
                echo $! > service.pid
                """.formatted(Kiln.JAVA, Kiln.fixtures(), SERVER, service.port);
        service.script("start.sh", start.replace("HAND", ":"));
        service.script("deaf.sh", start.replace("HAND", "unset JAVA_TOOL_OPTIONS"));
        service.script(
                "foreground.sh",
                start.replace("HAND", ":").replace("nohup", "exec").replaceFirst("> service.log 2>&1 &", ""));
        return service;
    }

    private void script(String name, String text) {
        assertThat(sandbox.file(name, text).toFile().setExecutable(true)).isTrue();
    }

    /** Writes an experiment about it. */
    Path experiment(String target, String more) {
        return sandbox.file("shop.yaml", """
                target: {attach: 'port:%1$d', %2$s}
                load: {url: 'http://localhost:${port}/', connections: 20}
                %3$s
                """.formatted(port, target, more));
    }

    /** Has the start do what another of its scripts does. */
    void startsBy(String script) {
        try {
            Files.copy(
                    sandbox.root().resolve(script),
                    sandbox.root().resolve("start.sh"),
                    StandardCopyOption.REPLACE_EXISTING,
                    StandardCopyOption.COPY_ATTRIBUTES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The starts so far, each with its variable. */
    List<String> starts() {
        Path done = sandbox.root().resolve("done");
        try {
            return Files.exists(done) ? Files.readAllLines(done) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Long> pids() {
        return sandbox.pids(SERVER);
    }

    /** The environment of the service that runs. */
    String environment() {
        assertThat(pids()).hasSize(1);
        try {
            return Files.readString(
                    Path.of("/proc", Long.toString(pids().getFirst()), "environ"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
