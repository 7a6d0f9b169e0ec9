package dev.kiln.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrowthTest {
    @TempDir
    private Path folder;

    private static void append(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void aLineIsTakenOnceAndWhole() throws IOException {
        Path file = folder.resolve("rows.csv");
        Growth growth = new Growth(100);
        assertThat(growth.lines(file)).isEmpty();
        append(file, "time,c");
        assertThat(growth.lines(file)).isEmpty();
        assertThat(growth.isNew(file)).isTrue();
        append(file, "pu\n1,2\n3");
        assertThat(text(growth.lines(file))).isEqualTo("time,cpu\n1,2\n");
        assertThat(growth.isNew(file)).isFalse();
        assertThat(growth.lines(file)).isEmpty();
        append(file, ",4\n");
        assertThat(text(growth.lines(file))).isEqualTo("3,4\n");
    }

    @Test
    void oneLookHasALimit() throws IOException {
        Path file = folder.resolve("log");
        append(file, "one\ntwo\nthree");
        Growth growth = new Growth(6);
        assertThat(text(growth.lines(file))).isEqualTo("one\n");
        assertThat(text(growth.bytes(file))).isEqualTo("two\nth");
        assertThat(text(growth.bytes(file))).isEqualTo("ree");
        assertThat(growth.bytes(file)).isEmpty();
    }

    @Test
    void whatWasClearedIsReadFromItsBeginning() throws IOException {
        Path file = folder.resolve("rows.csv");
        append(file, "one\n");
        Growth growth = new Growth(100);
        assertThat(text(growth.lines(file))).isEqualTo("one\n");
        growth.clear();
        assertThat(text(growth.lines(file))).isEqualTo("one\n");
    }
}
