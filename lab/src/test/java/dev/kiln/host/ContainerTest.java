package dev.kiln.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.KilnException;
import dev.kiln.model.Where.Engine;
import dev.kiln.model.Where.Rootfs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerTest {
    @TempDir
    Path dir;

    @Test
    void whatCannotBePreparedLeavesNothing() throws IOException {
        Path state = dir.resolve("state");
        try (OrphanRegistry registry = new OrphanRegistry(state)) {
            // Half a character, as YAML's escapes can write it: no file takes it.
            ContainerSpec spec = new ContainerSpec(
                    Engine.RUNC,
                    new Rootfs(dir),
                    List.of("java"),
                    Map.of("NAME", "\ud800"),
                    Optional.empty(),
                    List.of(),
                    OptionalDouble.empty(),
                    OptionalLong.empty(),
                    List.of());
            assertThatThrownBy(() -> Container.prepare(registry, spec))
                    .isInstanceOf(KilnException.class)
                    .hasMessageStartingWith("cannot make the files of a container");

            List<String> book;
            try (Stream<Path> files = Files.list(state)) {
                book = Files.readAllLines(files.findFirst().orElseThrow());
            }
            Path made = Path.of(book.stream()
                    .filter(line -> line.startsWith("directory "))
                    .findFirst()
                    .orElseThrow()
                    .substring("directory ".length()));
            assertThat(made).doesNotExist();
            assertThat(book).contains("removed " + made);
        }
    }
}
