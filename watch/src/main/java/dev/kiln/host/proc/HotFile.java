package dev.kiln.host.proc;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A file of /proc or /sys that is read again and again. Reading an open file from position 0 makes the kernel generate
 * it again, at a tenth of the cost of opening it each time. It is a RandomAccessFile because a recorder spends its
 * first minute in the interpreter, where the read of a channel costs twice as much. Once compiled, both cost the same.
 */
public final class HotFile implements Closeable {
    /** Up to this size java.io reads through the stack, above it allocates for each read. */
    private static final int CHUNK = 8192;

    private final RandomAccessFile file;

    /** The buffer that files are read into: one for all files of a thread. */
    static final class Buffer {
        private final ProcText text = new ProcText(CHUNK);
    }

    /**
     * @throws AccessDeniedException when the file exists but cannot be opened. For java.io this is the same exception
     *     as the death of the process, with another message in the user's language
     */
    HotFile(Path file) throws IOException {
        try {
            this.file = new RandomAccessFile(file.toFile(), "r");
        } catch (FileNotFoundException e) {
            if (Files.exists(file)) {
                throw new AccessDeniedException(file.toString(), null, e.getMessage());
            }
            throw e;
        }
    }

    /**
     * The file as it is now; overwritten by the next read into the same buffer.
     *
     * @throws IOException when the process or thread has died
     */
    ProcText read(Buffer buffer) throws IOException {
        ProcText text = buffer.text;
        file.seek(0);
        int length = file.read(text.bytes, 0, CHUNK);
        // One read gives all of a small /proc file; a second one, to see its end, would double the cost.
        int read = length;
        while (read == CHUNK) {
            if (text.bytes.length - length < CHUNK) {
                text.bytes = Arrays.copyOf(text.bytes, text.bytes.length * 2);
            }
            read = file.read(text.bytes, length, CHUNK);
            length += Math.max(read, 0);
        }
        if (length <= 0) {
            throw new IOException("empty");
        }
        text.length = length;
        return text.at(0);
    }

    /** A failure is ignored: closing a file that was only read loses nothing. */
    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            // Nothing to lose.
        }
    }
}
