package dev.kiln.jvm.flight;

import dev.kiln.files.InputFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * FlightChunks are those of a recording. A chunk is read whole or not at all, because its last bytes are the tables for
 * its numbers. The layout is that of HotSpot's {@code jfrChunkWriter}, formats 2.0 and 2.1, big-endian: {@code FLR\0},
 * two version shorts, then longs: size, place of the constants, place of the metadata, start in ns since 1970, duration
 * in ns, start in ticks, ticks a second; a byte of state, which is not 0 while the JVM still writes; two spare bytes; a
 * byte of features.
 */
final class FlightChunks {
    static final int HEADER = 68;
    private static final int MAGIC = 0x464c5200;
    private static final int STATE = 64;
    private static final int BUFFER = 1 << 16;

    /** Types of the events that every recording has. */
    private static final long METADATA = 0;

    private static final long CONSTANTS = 1;

    private static final int MOST_LEB128 = 9;

    /** So many chunks and gaps are read, which a JVM fills with some 24 GB: each is read by itself if one is damaged. */
    static final int MOST_PARTS = 2_000;

    /** So many places are looked at that could be the beginning of a chunk behind a gap. */
    private static final int MOST_BEGINNINGS = 100_000;

    /** The clock was set if a chunk begins earlier than this before the end of the last. */
    private static final long CLOCK_SET_NANOS = 100_000_000;

    /** @param finished false if the JVM did not close it: it then ends with its last flush */
    record Chunk(long offset, long size, Instant start, long durationNanos, boolean finished) {}

    private final Path file;
    private final List<Chunk> chunks = new ArrayList<>();
    private final List<String> gaps = new ArrayList<>();
    private boolean damaged;
    private int beginnings;

    private FlightChunks(Path file) {
        this.file = file;
    }

    static FlightChunks scan(Path file) throws IOException {
        FlightChunks scanned = new FlightChunks(file);
        try (FileChannel channel = InputFile.open(file)) {
            scanned.scan(channel);
        }
        return scanned;
    }

    List<Chunk> chunks() {
        return chunks;
    }

    /** Returns when the first chunk began; empty if there is none. */
    Optional<Instant> begin() {
        return chunks.stream().map(Chunk::start).min(Instant::compareTo);
    }

    List<String> gaps() {
        return gaps;
    }

    /** Tells whether the JDK's own reader can read the file as it is. */
    boolean sound() {
        return !damaged && chunks.stream().allMatch(Chunk::finished);
    }

    private void scan(FileChannel channel) throws IOException {
        long length = channel.size();
        long at = 0;
        while (at < length && chunks.size() + gaps.size() < MOST_PARTS) {
            String wrong = wrongWith(channel, at, length);
            if (wrong.isEmpty()) {
                chunks.add(chunk(channel, at));
                at += chunks.getLast().size();
                continue;
            }
            damaged = true;
            long next = nextChunk(channel, at + 1, length);
            gaps.add(String.format(
                    Locale.ROOT, "%,d bytes from byte %,d on could not be read: %s", next - at, at, wrong));
            at = next;
        }
        if (at < length) {
            damaged = true;
            gaps.add(String.format(
                    Locale.ROOT, "%,d bytes from byte %,d on were left out: too many chunks", length - at, at));
        }
        clocks();
    }

    private static Chunk chunk(FileChannel channel, long at) throws IOException {
        ByteBuffer header = read(channel, at, HEADER);
        boolean finished = header.getShort(6) < 1 || header.get(STATE) == 0;
        Instant start = Instant.EPOCH.plusNanos(header.getLong(32));
        return new Chunk(at, header.getLong(8), start, header.getLong(40), finished);
    }

    /** Says why there is no valid chunk at {@code at}; empty if there is one. */
    private static String wrongWith(FileChannel channel, long at, long length) throws IOException {
        if (length - at < HEADER) {
            return "too short for a chunk of a recording";
        }
        ByteBuffer header = read(channel, at, HEADER);
        if (header.getInt(0) != MAGIC) {
            return "no chunk of a flight recording begins there";
        }
        int major = header.getShort(4);
        if (major != 2) {
            return "format " + major + "." + header.getShort(6) + " is not known, only 2.x (JDK 11 and later)";
        }
        long size = header.getLong(8);
        long constants = header.getLong(16);
        long metadata = header.getLong(24);
        if (constants == 0 || metadata == 0) {
            return "the chunk was never closed: the program was killed before it wrote the tables that the chunk needs";
        }
        if (size > length - at) {
            return String.format(Locale.ROOT, "the chunk was cut off: it has %,d of its %,d bytes", length - at, size);
        }
        boolean within = constants >= HEADER && constants < size && metadata >= HEADER && metadata < size;
        // The JVM leaves copies of headers inside a chunk. Only a true header points at metadata and constants.
        return within
                        && typeAt(channel, at + metadata, length) == METADATA
                        && typeAt(channel, at + constants, length) == CONSTANTS
                ? ""
                : "the header of the chunk makes no sense";
    }

    /** Returns the type of the event at {@code at}: the number after its size. Both are LEB128. */
    private static long typeAt(FileChannel channel, long at, long length) throws IOException {
        ByteBuffer event = read(channel, at, (int) Math.min(2 * MOST_LEB128, length - at));
        return leb128(event) == 0 || !event.hasRemaining() ? -1 : leb128(event);
    }

    private static long leb128(ByteBuffer from) {
        long value = 0;
        for (int i = 0; i < MOST_LEB128 && from.hasRemaining(); i++) {
            byte next = from.get();
            value |= (next & 0x7fL) << (7 * i);
            if (next >= 0) {
                break;
            }
        }
        return value;
    }

    /** Notes where time ran backwards, because the clock was set. A gap between two recordings in one file is fine. */
    private void clocks() {
        int set = 0;
        for (int i = 1; i < chunks.size(); i++) {
            Chunk before = chunks.get(i - 1);
            Instant end = before.start().plusNanos(before.durationNanos());
            set += chunks.get(i).start().plusNanos(CLOCK_SET_NANOS).isBefore(end) ? 1 : 0;
        }
        if (set > 0) {
            gaps.add((set == 1 ? "once" : set + " times")
                    + " a chunk begins before the end of the one before: the clock was set, or the file has"
                    + " several recordings, whose times cannot be compared");
        }
    }

    private long nextChunk(FileChannel channel, long from, long length) throws IOException {
        for (long at = from; at + Integer.BYTES <= length; at += BUFFER - Integer.BYTES + 1) {
            ByteBuffer buffer = read(channel, at, (int) Math.min(BUFFER, length - at));
            for (int i = 0; i + Integer.BYTES <= buffer.limit(); i++) {
                if (buffer.getInt(i) != MAGIC) {
                    continue;
                }
                if (++beginnings > MOST_BEGINNINGS) {
                    return length;
                }
                if (wrongWith(channel, at + i, length).isEmpty()) {
                    return at + i;
                }
            }
        }
        return length;
    }

    private static ByteBuffer read(FileChannel channel, long at, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        readFully(channel, buffer, at);
        return buffer.flip();
    }

    private static void readFully(FileChannel channel, ByteBuffer into, long at) throws IOException {
        while (into.hasRemaining()) {
            if (channel.read(into, at + into.position()) < 0) {
                throw new IOException("the file became shorter while it was read");
            }
        }
    }

    /** Appends a chunk to another file, and closes it if the JVM did not: it is consistent up to its last flush. */
    void copy(Chunk chunk, FileChannel to) throws IOException {
        long begin = to.size();
        try (FileChannel from = InputFile.open(file)) {
            long done = 0;
            to.position(begin);
            while (done < chunk.size()) {
                long more = from.transferTo(chunk.offset() + done, chunk.size() - done, to);
                if (more <= 0) {
                    throw new IOException("the file became shorter while it was read");
                }
                done += more;
            }
        }
        if (!chunk.finished()) {
            to.write(ByteBuffer.allocate(1), begin + STATE);
        }
    }
}
