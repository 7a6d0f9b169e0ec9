package dev.kiln.cli.console;

import dev.kiln.files.OutputFile;
import dev.kiln.model.KilnException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Files that a user asked for. */
public final class TextFiles {
    private TextFiles() {}

    public static boolean isStandardOutput(Path file) {
        return file.toString().equals("-");
    }

    public static void write(Path file, String text) {
        write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    public static void append(Path file, String text) {
        try {
            OutputFile.append(file, text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw cannotWrite(file, e);
        }
    }

    public static void write(Path file, byte[] content) {
        try {
            OutputFile.named(file, content);
        } catch (IOException e) {
            throw cannotWrite(file, e);
        }
    }

    private static KilnException cannotWrite(Path file, IOException e) {
        return KilnException.machine(e, "cannot write " + file, "name a file that can be written");
    }
}
