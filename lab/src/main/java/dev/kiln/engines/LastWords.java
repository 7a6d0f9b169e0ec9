package dev.kiln.engines;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What a program said. */
final class LastWords {
    private LastWords() {}

    /** Its lines, without blank ones and those of stack traces. */
    static Stream<String> of(Path output) {
        try {
            return new String(Files.readAllBytes(output), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.matches("\\s+(at |\\.\\.\\. \\d+ ).*"))
                    .map(String::strip);
        } catch (IOException e) {
            return Stream.empty();
        }
    }

    static String last(Path output) {
        List<String> lines = of(output).toList();
        return lines.isEmpty() ? "it said nothing" : lines.getLast();
    }
}
