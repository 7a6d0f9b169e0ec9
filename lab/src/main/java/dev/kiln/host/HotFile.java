package dev.kiln.host;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * A file of /proc or /sys that is read again and again. Reading an open channel at position 0 makes the kernel write the
 * file anew, at a tenth of the cost of opening it each time.
 */
public final class HotFile implements Closeable {
    private final FileChannel channel;

    /** Where files are read into; one for all files of one thread. */
    static final class Buffer {
        private ByteBuffer bytes = ByteBuffer.allocateDirect(8 * 1024);
        private final Text text = new Text(8 * 1024);
    }

    HotFile(Path file) throws IOException {
        channel = FileChannel.open(file, StandardOpenOption.READ);
    }

    /**
     * The file as it is now; overwritten by the next read into the same buffer.
     *
     * @throws IOException when the process or thread has died
     */
    Text read(Buffer buffer) throws IOException {
        int length = 0;
        buffer.bytes.clear();
        // One read gives all of a small /proc file; a second one, to see the end, would double the cost.
        int read = channel.read(buffer.bytes, 0);
        while (read > 0) {
            length += read;
            if (buffer.bytes.hasRemaining()) {
                break;
            }
            ByteBuffer larger = ByteBuffer.allocateDirect(buffer.bytes.capacity() * 2);
            larger.put(buffer.bytes.flip());
            buffer.bytes = larger;
            read = channel.read(buffer.bytes, length);
        }
        if (length <= 0) {
            throw new IOException("empty");
        }
        Text text = buffer.text;
        if (text.bytes.length < length) {
            text.bytes = Arrays.copyOf(text.bytes, buffer.bytes.capacity());
        }
        buffer.bytes.get(0, text.bytes, 0, length);
        text.length = length;
        return text.at(0);
    }

    /** Closing a file that was only read can lose nothing, so a failure is not told. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // Nothing to lose.
        }
    }
}
