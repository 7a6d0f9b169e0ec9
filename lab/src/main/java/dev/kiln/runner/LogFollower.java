package dev.kiln.runner;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Reads on in a log that another process is writing: whole lines only, for half a line may end in half a number. */
final class LogFollower implements AutoCloseable {
    private final Path log;
    private final ByteBuffer buffer = ByteBuffer.allocate(64 * 1024);
    private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
    private final FileChannel channel;

    /** @param log must exist */
    LogFollower(Path log) throws IOException {
        this.log = log;
        channel = FileChannel.open(log, StandardOpenOption.READ);
    }

    /** Lines that were completed since the last call. */
    List<String> lines() throws IOException {
        List<String> lines = new ArrayList<>();
        while (channel.read(buffer.clear()) > 0) {
            buffer.flip();
            while (buffer.hasRemaining()) {
                byte next = buffer.get();
                if (next == '\n') {
                    lines.add(line());
                } else {
                    begun.write(next);
                }
            }
        }
        return lines;
    }

    /** What comes after the last line break: a line, once the writer has ended. */
    String rest() {
        return line();
    }

    private String line() {
        String line = begun.toString(StandardCharsets.UTF_8);
        begun.reset();
        return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public String toString() {
        return log.toString();
    }
}
