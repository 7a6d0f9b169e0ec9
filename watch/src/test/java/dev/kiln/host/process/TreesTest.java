package dev.kiln.host.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreesTest {
    @TempDir
    Path directory;

    @Test
    void deletesATreeAndNothingThatItsLinksNameNorAnythingBesideIt() throws IOException {
        Path victim = Files.createDirectory(directory.resolve("victim"));
        Files.writeString(victim.resolve("kept"), "x");
        Path tree = directory.resolve("tree");
        Files.createDirectories(tree.resolve("a/b"));
        Files.writeString(tree.resolve("a/file"), "x");
        Files.createSymbolicLink(tree.resolve("a/b/link"), victim);
        Files.createSymbolicLink(tree.resolve("dangling"), directory.resolve("none"));

        Trees.delete(tree);
        Trees.delete(tree);

        assertThat(tree).doesNotExist();
        assertThat(victim.resolve("kept")).exists();
    }

    @Test
    void aLinkIsDeletedInPlaceOfWhatItNames() throws IOException {
        Path victim = Files.createDirectory(directory.resolve("victim"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), victim);

        Trees.delete(link);

        assertThat(Files.exists(link, java.nio.file.LinkOption.NOFOLLOW_LINKS)).isFalse();
        assertThat(victim).exists();
    }
}
