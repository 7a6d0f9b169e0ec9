package dev.kiln.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OutputFileTest {
    @TempDir
    private Path folder;

    private Path precious;
    private Path link;

    @BeforeEach
    void linked() throws IOException {
        precious = Files.writeString(folder.resolve("precious"), "precious");
        link = Files.createSymbolicLink(folder.resolve("link"), precious);
    }

    @Test
    void aLinkIsReplaced() throws Exception {
        OutputFile.replace(link, "new");
        assertThat(link).hasContent("new");
        assertThat(precious).hasContent("precious");
    }

    @Test
    void aLinkIsNotAppendedTo() {
        assertThatThrownBy(() -> OutputFile.append(link, new byte[1])).hasMessageContaining("it is a link");
        assertThat(precious).hasContent("precious");
    }

    @Test
    void aTableBeginsAnewBesideWhatALinkLedTo() throws Exception {
        OutputFile.anew(link).close();
        assertThat(precious).hasContent("precious");
        assertThat(Files.isSymbolicLink(link)).isFalse();
    }

    @Test
    void aPipeIsNotAppendedTo() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor(10, TimeUnit.SECONDS))
                .isTrue();
        assertThatThrownBy(() -> OutputFile.append(pipe, new byte[1])).hasMessageContaining("a pipe");
        OutputFile.replace(pipe, "new");
        assertThat(pipe).isRegularFile();
    }

    @Test
    void aFailureLeavesTheOldFileAndNothingBesideIt() throws Exception {
        assertThatThrownBy(() -> OutputFile.replace(precious, out -> {
                    out.write('n');
                    throw new IOException("full");
                }))
                .hasMessage("full");
        assertThat(precious).hasContent("precious");
        try (Stream<Path> all = Files.list(folder)) {
            assertThat(all).hasSize(2);
        }
    }

    @Test
    void aFolderStays() throws Exception {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assertThatThrownBy(() -> OutputFile.replace(empty, "new")).hasMessageContaining("it is a folder");
        assertThat(empty).isDirectory();
    }
}
