package dev.kiln.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.console.Outputs;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputsTest {
    @TempDir
    private Path folder;

    /** Two Kilns that begin in one second must not mix their evidence. */
    @Test
    void noTwoGetOneFolder() throws Exception {
        Path results = folder.resolve("results");
        Set<Path> made = new ConcurrentSkipListSet<>();
        Callable<Boolean> one = () -> made.add(new Outputs(results).fresh("mix"));
        try (var kilns = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var each : kilns.invokeAll(Stream.generate(() -> one).limit(20).toList())) {
                assertThat(each.get()).isTrue();
            }
        }
        assertThat(made).hasSize(20).allMatch(Files::isDirectory);
    }

    /** The name can be guessed, and results may be where others write too. */
    @Test
    void noLinkIsAFolderOfItsOwn() throws Exception {
        Path results = Files.createDirectory(folder.resolve("results"));
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        String now = new Outputs(results).folder("mix").getFileName().toString();
        String next = now.substring(0, now.length() - 1);
        for (String second : List.of("0", "1", "2", "3", "4", "5", "6", "7", "8", "9")) {
            Files.createSymbolicLink(results.resolve(next + second), elsewhere);
        }
        Path made = new Outputs(results).fresh("mix");
        assertThat(Files.isDirectory(made, LinkOption.NOFOLLOW_LINKS)).isTrue();
        assertThat(elsewhere).isEmptyDirectory();
    }
}
