package dev.kiln.console;

import dev.kiln.files.OutputFile;
import dev.kiln.model.KilnException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** TextFiles writes texts to files: those that a user named, and those in a folder of results. */
public final class TextFiles {
    private TextFiles() {}

    public static boolean isStandardOutput(Path file) {
        return file.toString().equals("-");
    }

    /** Writes a file of this very name, in a folder that others may have made; a link is not followed. */
    public static void write(Path file, String text) {
        write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    public static void write(Path file, byte[] content) {
        try {
            OutputFile.replace(file, content);
        } catch (IOException e) {
            throw cannotWrite(file, e);
        }
    }

    /** Writes to a file that a user named, which may be a link, a pipe or a device. */
    public static void writeNamed(Path file, String text) {
        try {
            OutputFile.named(file, text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw cannotWrite(file, e);
        }
    }

    /** Appends to a file that a user named. */
    public static void appendNamed(Path file, String text) {
        try {
            OutputFile.appendNamed(file, text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw cannotWrite(file, e);
        }
    }

    private static KilnException cannotWrite(Path file, IOException e) {
        return KilnException.machine(e, "cannot write " + file, "make room there, or name a file that can be written");
    }
}
