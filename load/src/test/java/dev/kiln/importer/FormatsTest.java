package dev.kiln.importer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.importer.format.Format;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The reference has a row for each format, with the words that the format has for itself. */
class FormatsTest {
    private static final Set<String> NO_NAMES = Set.of("a", "any", "the", "output", "of", "or", "with");

    @Test
    void theReferenceHasThemAll() throws IOException {
        List<String> rows = Files.readAllLines(Path.of("../docs/reference/import.md")).stream()
                .filter(line -> line.startsWith("| "))
                .toList();
        for (Format format : Formats.ALL) {
            List<String> names = Stream.of(format.words().replace("'s ", " ").split(",? "))
                    .filter(word -> !NO_NAMES.contains(word))
                    .toList();
            assertThat(rows).as(format.words()).anyMatch(row -> names.stream().allMatch(row::contains));
        }
    }
}
