package dev.kiln.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Where.HostPlace;
import dev.kiln.remote.FarShell.Pipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that lead to a shell on this machine, or to none. */
class DeliveryTest {
    @TempDir
    private Path home;

    private final List<String> said = new ArrayList<>();

    private Delivery through(String... via) {
        return new Delivery(new Pipe(HostPlace.through(List.of(via))), said::add);
    }

    /** Codes that a script would end with, if it were run. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, FarScripts.NO_JDK, FarScripts.NO_INPUT, FarScripts.NO_RUN})
    void whatNoShellThereToldIsNoAnswer(int code) {
        Delivery nowhere = through("sh", "-c", "echo 'no such container' >&2; exit " + code, "x");

        assertThatThrownBy(() -> nowhere.java(false))
                .isInstanceOf(KilnException.class)
                .hasMessageStartingWith("no shell at the far end of sh -c")
                .hasMessageEndingWith(": no such container");
        assertThat(nowhere.java(true)).isFalse();
        assertThatThrownBy(() -> nowhere.send(Shipment.ofThisKiln())).hasMessageEndingWith(": no such container");
        assertThat(said).isEmpty();
    }

    /** The command that leads there may end with a code of its own even so. */
    @Test
    void whatTheShellThereToldCounts() throws IOException {
        Path jdk = Files.createDirectories(home.resolve(".sdkman/candidates/java/25/bin"));
        Files.writeString(jdk.resolveSibling("release"), "JAVA_VERSION=\"25.0.3\"\n");
        assertThat(Files.createFile(jdk.resolve("java")).toFile().setExecutable(true))
                .isTrue();
        Delivery odd = through(
                "sh", "-c", "env -i HOME=" + home + " PATH=/usr/bin:/bin \"$@\"; exit " + FarScripts.NO_JDK, "x");

        assertThat(odd.java(false)).isTrue();
    }

    @Test
    void whatIsSentIsSaidOnce() {
        Delivery there = through("env", "-i", "HOME=" + home, "PATH=/usr/bin:/bin");
        there.send(Shipment.ofThisKiln());
        there.send(Shipment.ofThisKiln());

        assertThat(said)
                .containsExactly("sending Kiln's recorder to " + there.shell().name());
    }
}
