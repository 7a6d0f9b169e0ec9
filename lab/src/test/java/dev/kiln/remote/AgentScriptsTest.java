package dev.kiln.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a real shell and a real tar. */
class AgentScriptsTest {
    @TempDir
    private Path home;

    private record Ended(int exit, String said) {}

    private Ended run(String script, boolean withShipment, Shipment shipment) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", script).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("HOME", home.toString());
        builder.environment().put("PATH", "/usr/bin:/bin");
        Process process = builder.start();
        try (OutputStream out = process.getOutputStream()) {
            if (withShipment) {
                shipment.writeTo(out);
            }
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), said);
    }

    @Test
    void aShipmentIsKeptOnceAndFoundAgain() throws Exception {
        Shipment shipment = Shipment.ofThisKiln();
        assertThat(run(Shipment.Scripts.isThere(shipment), false, shipment).exit())
                .isEqualTo(1);
        assertThat(run(Shipment.Scripts.receive(shipment), true, shipment)).isEqualTo(new Ended(0, ""));
        assertThat(run(Shipment.Scripts.receive(shipment), true, shipment).exit())
                .isZero();
        assertThat(run(Shipment.Scripts.isThere(shipment), false, shipment).exit())
                .isZero();
        try (Stream<Path> kept = Files.list(home.resolve(".cache/kiln"))) {
            assertThat(kept).singleElement().satisfies(folder -> {
                assertThat(folder.getFileName()).hasToString("agent-" + shipment.name());
                assertThat(folder.resolve("0")).exists();
            });
        }
    }

    @Test
    void aShipmentThatWasCutIsNotKept() throws Exception {
        Shipment shipment = Shipment.ofThisKiln();
        assertThat(run(Shipment.Scripts.receive(shipment), false, shipment).exit())
                .isNotZero();
        assertThat(run(Shipment.Scripts.isThere(shipment), false, shipment).exit())
                .isEqualTo(1);
        try (Stream<Path> kept = Files.list(home.resolve(".cache/kiln"))) {
            assertThat(kept).isEmpty();
        }
    }

    @Test
    void aShipmentThatWasDamagedThereIsReplaced() throws Exception {
        Shipment shipment = Shipment.ofThisKiln();
        Path folder = home.resolve(".cache/kiln/agent-" + shipment.name());
        Files.createDirectories(folder);
        assertThat(run(Shipment.Scripts.isThere(shipment), false, shipment).exit())
                .isEqualTo(1);
        assertThat(run(Shipment.Scripts.receive(shipment), true, shipment)).isEqualTo(new Ended(0, ""));
        assertThat(run(Shipment.Scripts.isThere(shipment), false, shipment).exit())
                .isZero();
        assertThat(folder.resolve("0")).exists();
    }

    @Test
    void whatWasLeftThereLongAgoIsSweptAway() throws Exception {
        Path cache = Files.createDirectories(home.resolve(".cache/kiln"));
        FileTime longAgo = FileTime.from(Instant.now().minus(Duration.ofDays(40)));
        for (String name : List.of("agent-old", "part-old", "mine")) {
            Files.setLastModifiedTime(Files.createDirectory(cache.resolve(name)), longAgo);
        }
        Files.createDirectory(cache.resolve("part-new"));
        Shipment shipment = Shipment.ofThisKiln();
        assertThat(run(Shipment.Scripts.receive(shipment), true, shipment)).isEqualTo(new Ended(0, ""));
        assertThat(cache.toFile().list()).containsExactlyInAnyOrder("agent-" + shipment.name(), "part-new", "mine");
    }

    @Test
    void theSameFilesAreTheSameShipment() {
        assertThat(Shipment.ofThisKiln().name())
                .isEqualTo(Shipment.ofThisKiln().name())
                .matches("[0-9a-f]{16}");
    }

    /** On a machine without a JDK. */
    private static String nowhere(String script) {
        return script.replace("/usr/", "/none/").replace("/opt/", "/none/").replace("command -v java", "false");
    }

    @Test
    void withoutAJdkItSaysSo() throws Exception {
        Shipment shipment = Shipment.ofThisKiln();
        assertThat(run(nowhere(Shipment.Scripts.hasJdk()), false, shipment).exit())
                .isEqualTo(Shipment.Scripts.NO_JDK);
        String nowhere = nowhere(Shipment.Scripts.start(shipment, "Main"));
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", nowhere).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("HOME", home.toString());
        Files.createDirectories(home.resolve(".cache/kiln/agent-" + shipment.name()));
        Process process = builder.start();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("no JDK 25 or later");
        assertThat(process.waitFor()).isEqualTo(Shipment.Scripts.NO_JDK);
    }
}
