package dev.kiln.cli.console;

import dev.kiln.model.KilnException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Files that a user asked for. */
public final class TextFiles {
    private TextFiles() {}

    public static boolean isStandardOutput(Path file) {
        return file.toString().equals("-");
    }

    public static void write(Path file, String text) {
        write(file, text, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
    }

    public static void append(Path file, String text) {
        write(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static void write(Path file, String text, OpenOption... how) {
        try {
            Files.writeString(file, text, how);
        } catch (IOException e) {
            throw KilnException.machine(e, "cannot write " + file, "name a file that can be written");
        }
    }
}
