package dev.kiln.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.files.NativeOpen.Links;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HeldTest {
    @TempDir
    private Path folder;

    private static Path pipe(Path file) throws Exception {
        Process made = new ProcessBuilder("mkfifo", file.toString()).start();
        assertThat(made.waitFor(10, TimeUnit.SECONDS)).isTrue();
        return file;
    }

    /** Java's own way, for other systems, refuses as much. */
    @Test
    void withoutHoldingALookRefusesAsMuch() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "text");
        Held.looked(file, Links.REFUSED, StandardOpenOption.READ).close();
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        Held.looked(link, Links.FOLLOWED, StandardOpenOption.READ).close();
        for (Path wrong : List.of(link, pipe(folder.resolve("pipe")), Path.of("/dev/zero"), folder)) {
            assertThatThrownBy(() -> Held.looked(wrong, Links.REFUSED, StandardOpenOption.READ))
                    .hasMessageContaining("it is ");
        }
        assertThatThrownBy(() -> Held.looked(folder.resolve("none"), Links.REFUSED, StandardOpenOption.READ))
                .isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void onlyARegularFileIsOpened() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "text");
        assertThat(InputFile.text(file, 4)).isEqualTo("text");
        assertThatThrownBy(() -> InputFile.text(file, 3)).hasMessageContaining("more than 3 bytes");
        assertThatThrownBy(() -> InputFile.open(pipe(folder.resolve("pipe"))))
                .hasMessageContaining("a pipe or a device");
        assertThatThrownBy(() -> InputFile.open(Path.of("/dev/zero"))).hasMessageContaining("a pipe or a device");
        assertThatThrownBy(() -> InputFile.open(folder)).hasMessageContaining("it is a folder");
        assertThatThrownBy(() -> InputFile.open(folder.resolve("none"))).isInstanceOf(NoSuchFileException.class);
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        assertThatThrownBy(() -> InputFile.open(link)).hasMessageContaining("it is a link");
        try (var in = InputFile.followed(link)) {
            assertThat(in.readAllBytes()).hasSize(4);
        }
    }

    /** What the kernel makes of its content has no size. */
    @Test
    void aFileOfTheKernelIsRegular() throws Exception {
        assertThat(InputFile.text(Path.of("/proc/self/status"), InputFile.DOCUMENT))
                .contains("Pid:");
    }

    @Test
    void aLineWithoutAnEndIsRefused() throws Exception {
        Path file = folder.resolve("huge");
        try (var made = Files.newByteChannel(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            made.position(64 << 20).write(java.nio.ByteBuffer.allocate(1));
        }
        assertThatThrownBy(() -> InputFile.lines(file, InputFile.TABLE).readAllBytes())
                .hasMessageContaining("a line has more than 4 MB");
    }

    /** Whoever owns the folder exchanges the file for a pipe all the time. */
    @Test
    void noExchangeMakesItWait() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "text");
        AtomicBoolean over = new AtomicBoolean();
        Thread exchange = Thread.ofPlatform().start(() -> {
            for (int i = 0; !over.get(); i++) {
                try {
                    Path pipe = pipe(folder.resolve("pipe" + i));
                    Path text = Files.writeString(folder.resolve("text" + i), "text");
                    Files.move(pipe, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                    Files.move(text, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        });
        int read = 0;
        int refused = 0;
        try {
            while (read == 0 || refused == 0 || read + refused < 2000) {
                try {
                    assertThat(InputFile.text(file, 10)).isEqualTo("text");
                    read++;
                } catch (IOException e) {
                    refused++;
                }
            }
        } finally {
            over.set(true);
            exchange.join();
        }
    }

    /** Of another root: {@code /etc} means the one below it, and {@code ..} never leads above it. */
    @ParameterizedTest
    @ValueSource(strings = {"/elsewhere", "elsewhere", "../../../../elsewhere", "/hop", "/elsewhere/../elsewhere"})
    void linksOfAnotherRootDoNotLeadOutOfIt(String to) throws Exception {
        Path root = Files.createDirectory(folder.resolve("root"));
        Path elsewhere = Files.createDirectory(root.resolve("elsewhere"));
        Files.createSymbolicLink(root.resolve("hop"), Path.of("/elsewhere"));
        Files.createSymbolicLink(root.resolve("tmp"), Path.of(to));
        try (Held tmp = Held.below(root, "tmp")) {
            OutputFile.fresh(tmp.path().resolve("made")).close();
            assertThatThrownBy(() -> OutputFile.fresh(tmp.path().resolve("made")))
                    .isInstanceOf(IOException.class);
        }
        assertThat(elsewhere.resolve("made")).exists();
    }

    @Test
    void linksInACircleEnd() throws Exception {
        Files.createSymbolicLink(folder.resolve("a"), Path.of("b"));
        Files.createSymbolicLink(folder.resolve("b"), Path.of("a"));
        assertThatThrownBy(() -> Held.below(folder, "a")).hasMessageContaining("too many links");
    }

    @Test
    void nothingStaysOpen() throws Exception {
        Files.createSymbolicLink(folder.resolve("a"), Path.of("/b/c"));
        Files.createDirectories(folder.resolve("b/c"));
        long before = descriptors();
        for (int i = 0; i < 50; i++) {
            Held.below(folder, "a").close();
            assertThatThrownBy(() -> Held.below(folder, "a/none")).isInstanceOf(NoSuchFileException.class);
            assertThatThrownBy(() -> InputFile.open(folder)).isNotInstanceOf(AccessDeniedException.class);
        }
        assertThat(descriptors()).isLessThan(before + 5);
    }

    private static long descriptors() throws IOException {
        try (var all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        }
    }
}
