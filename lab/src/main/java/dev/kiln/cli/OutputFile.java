package dev.kiln.cli;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Files that a command is told to write. */
final class OutputFile {
    private OutputFile() {}

    static boolean isStandardOutput(Path file) {
        return file.toString().equals("-");
    }

    static void write(Path file, String text) {
        write(file, text, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
    }

    static void append(Path file, String text) {
        write(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static void write(Path file, String text, OpenOption... how) {
        try {
            Files.writeString(file, text, how);
        } catch (IOException e) {
            throw new KilnException(
                    Exit.MACHINE, "cannot write " + file + ": " + e.getMessage(), "check the folder and its rights", e);
        }
    }
}
