package dev.kiln.cli;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files that a user asked for. */
final class TextFiles {
    private TextFiles() {}

    static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new KilnException(
                    Exit.MACHINE, "cannot write " + file + ": " + e.getMessage(), "name a file that can be written", e);
        }
    }
}
