package dev.kiln.console;

import dev.kiln.model.KilnException.Exit;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * StandardOutput is that of this process. Java's own stream forgets that it could not write: whoever redirects Kiln to
 * a full disk would get half a file and exit code 0.
 */
public final class StandardOutput {
    private static final Path FILE = Path.of("/proc/self/fd/1");

    /** These are the bits of a file's kind in its mode, and the kinds that end in another program (stat(2)). */
    private static final int KIND = 0170000;

    private static final int PIPE = 0010000;
    private static final int SOCKET = 0140000;

    private final PrintWriter writer;

    public StandardOutput() {
        writer = new PrintWriter(new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), encoding()), true);
    }

    /** Returns the encoding of what is printed to this output. */
    public static Charset encoding() {
        return encoding(System.out.charset());
    }

    /**
     * Returns the encoding of what is printed. An image and a scheduler's job have no locale, and Java then prints a
     * question mark in place of a minus sign. It is UTF-8 there, as Python has it (PEP 540).
     *
     * @param told what the locale says
     */
    public static Charset encoding(Charset told) {
        return told.equals(StandardCharsets.US_ASCII) ? StandardCharsets.UTF_8 : told;
    }

    public PrintWriter writer() {
        return writer;
    }

    /** Returns the exit code after all is printed; lost output is told where nothing worse happened. */
    public int end(int exit, PrintWriter err) {
        if (!writer.checkError() || endsInAnotherProgram()) {
            return exit;
        }
        err.println("kiln: cannot write to the standard output, so what was printed is not whole");
        err.println("  check the disk's space, and run the command again");
        return exit == 0 ? Exit.MACHINE.code() : exit;
    }

    /** A reader who has enough, such as head, closes the pipe: nothing is lost that anybody wanted. */
    private static boolean endsInAnotherProgram() {
        try {
            int kind = (Integer) Files.getAttribute(FILE, "unix:mode") & KIND;
            return kind == PIPE || kind == SOCKET;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return false;
        }
    }
}
