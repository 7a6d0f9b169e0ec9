package dev.kiln.importer;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The last lines of a file that may be large. */
final class Tail {
    private static final int BYTES = 1 << 16;

    private Tail() {}

    /** Whole lines at the end of the file; numbers of lines count from there. */
    static Lines of(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long from = Math.max(0, channel.size() - BYTES);
            ByteBuffer bytes = ByteBuffer.allocate((int) (channel.size() - from));
            int read;
            do {
                read = channel.read(bytes, from + bytes.position());
            } while (read > 0);
            Lines lines = new Lines(file.toString(), new ByteArrayInputStream(bytes.array(), 0, bytes.position()));
            if (from > 0 && !lines.next()) {
                throw new IOException("it has become shorter");
            }
            return lines;
        } catch (IOException e) {
            throw Lines.unreadable(file.toString(), e);
        }
    }
}
