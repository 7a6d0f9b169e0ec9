package dev.kiln.host.process;

import dev.kiln.files.InputFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** A LogTail reads a log that another process is writing. */
public final class LogTail {
    private static final int TAIL_BYTES = 16 * 1024;

    /** So much of a log is searched from its beginning, and as much from its end. */
    private static final int END_BYTES = 4 << 20;

    /** A line is read up to this length: of one without an end, the beginning will do. */
    private static final int LONGEST_LINE = 1 << 20;

    /** So many bytes of a log are read at a time, and so many lines: some programs print faster than they can be read. */
    private static final int MOST_AT_ONCE = 64 << 20;

    private static final int MOST_LINES = 500_000;

    private LogTail() {}

    /** Returns the last lines, as a remedy's text: what the process itself said is the best explanation. */
    public static String lastLines(Path log, int lines) {
        List<String> all = read(log, TAIL_BYTES).lines().toList();
        return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
    }

    /** Returns the beginning and the end of a log, where errors are looked for; all of it unless it is long. */
    public static String ends(Path log) {
        try (FileChannel file = InputFile.open(log);
                InputStream in = Channels.newInputStream(file)) {
            String beginning = new String(in.readNBytes(END_BYTES), StandardCharsets.UTF_8);
            file.position(Math.max(file.position(), file.size() - END_BYTES));
            return beginning + new String(in.readNBytes(END_BYTES), StandardCharsets.UTF_8);
        } catch (IOException notThereYet) {
            return "";
        }
    }

    private static String read(Path log, int atMost) {
        try (FileChannel file = InputFile.open(log);
                InputStream in = Channels.newInputStream(file)) {
            file.position(Math.max(0, file.size() - atMost));
            return new String(in.readNBytes(atMost), StandardCharsets.UTF_8);
        } catch (IOException notThereYet) {
            return "";
        }
    }

    /** A LineSearch looks for a line in a log while it is written. Reads each byte once. */
    public static final class LineSearch implements AutoCloseable {
        private final Path log;
        private final Pattern pattern;
        private Optional<Follower> follower = Optional.empty();

        /** @param log need not exist yet */
        public LineSearch(Path log, Pattern pattern) {
            this.log = log;
            this.pattern = pattern;
        }

        /** Tells whether a line matches of those since the last call: of very many it looks at the first, and at more in the next call. */
        public boolean found() {
            try {
                if (follower.isEmpty()) {
                    follower = Optional.of(new Follower(log));
                }
                return follower.get().lines().stream()
                                .anyMatch(line -> pattern.matcher(line).find())
                        || pattern.matcher(follower.get().begunLine()).find();
            } catch (IOException notThereYet) {
                return false;
            }
        }

        @Override
        public void close() {
            try {
                if (follower.isPresent()) {
                    follower.get().close();
                }
            } catch (IOException e) {
                // It was only read.
                return;
            }
        }
    }

    /** A Follower follows a log while it is written. It gives only whole lines: half a line may end in half a number. */
    public static final class Follower implements AutoCloseable {
        private final Path log;
        private final ByteBuffer buffer = ByteBuffer.allocate(64 * 1024);
        private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
        private final FileChannel channel;
        private boolean torn;

        /** @param log must exist */
        public Follower(Path log) throws IOException {
            this.log = log;
            channel = InputFile.open(log);
        }

        /** Lines that were completed since the last call; of very many the first ones, and more at the next call. */
        public List<String> lines() throws IOException {
            List<String> lines = new ArrayList<>();
            long end = channel.position() + MOST_AT_ONCE;
            while (lines.size() < MOST_LINES && channel.position() < end && channel.read(buffer.clear()) > 0) {
                buffer.flip();
                while (buffer.hasRemaining()) {
                    byte next = buffer.get();
                    if (next == 0) {
                        // The hole where a middle was: the line before it has no end, and the one after it no
                        // beginning.
                        torn = true;
                        begun.reset();
                    } else if (next == '\n' && torn) {
                        torn = false;
                    } else if (next == '\n') {
                        lines.add(line());
                    } else if (!torn && begun.size() < LONGEST_LINE) {
                        begun.write(next);
                    }
                }
            }
            return lines;
        }

        /** Tells whether all was read that has been written. */
        public boolean isAtEnd() throws IOException {
            return channel.position() >= channel.size();
        }

        /** Returns the text after the last line break. It is a line once the writer has ended. */
        public String rest() {
            return line();
        }

        private String begunLine() {
            return begun.toString(StandardCharsets.UTF_8);
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
}
