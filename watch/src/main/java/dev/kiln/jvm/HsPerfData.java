package dev.kiln.jvm;

import dev.kiln.files.Held;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * HsPerfData are the counters that a HotSpot JVM keeps in a file. Reading them takes no agent, no attaching and no work
 * of the JVM.
 *
 * <p>The file is copied, not mapped: a process that shortens a mapped file would kill its reader. Its content is not
 * trusted: each offset is checked.
 *
 * <p>Layout, version 2.0: magic at 0 (big-endian), byte order at 4, whether the JVM has finished it at 7, offset of the
 * first entry at 24, number of entries at 28. An entry: length, offset of the name, length of a vector or 0 (int each),
 * type, flags, unit, variability (byte each), offset of the data (int).
 */
public final class HsPerfData {
    private static final int MAGIC = 0xcafec0c0;
    private static final int UNIT_TICKS = 3;
    private static final int HEADER = 32;
    private static final int ENTRY_HEADER = 20;

    /** A JVM takes 32 KB, and up to some MB if it is told to. */
    private static final int LIMIT = 16 << 20;

    private final Optional<FileChannel> file;
    private final ByteBuffer memory;
    private final Map<String, CounterEntry> index = new HashMap<>();
    private int indexed;

    /** @param length of a vector in bytes; 0 for a single long */
    private record CounterEntry(int offset, int length, int unit) {}

    private HsPerfData(Optional<FileChannel> file, ByteBuffer memory) {
        this.file = file;
        this.memory = memory;
    }

    /**
     * Opens the file of a JVM; empty until the JVM has finished its header. Nobody closes the file, because nobody knows
     * the last reader: the garbage collector does.
     *
     * @throws IOException if it is no regular file or cannot be read
     */
    static Optional<HsPerfData> open(Held held) throws IOException {
        FileChannel file = held.open(StandardOpenOption.READ);
        Optional<HsPerfData> data = Optional.empty();
        try {
            ByteBuffer memory = ByteBuffer.allocate((int) Math.min(file.size(), LIMIT));
            copy(file, memory);
            data = of(Optional.of(file), memory);
            return data;
        } finally {
            if (data.isEmpty()) {
                file.close();
            }
        }
    }

    static Optional<HsPerfData> of(ByteBuffer memory) {
        return of(Optional.empty(), memory);
    }

    private static Optional<HsPerfData> of(Optional<FileChannel> file, ByteBuffer bytes) {
        ByteBuffer memory = bytes.duplicate().clear(); // big-endian, as the magic is
        if (memory.capacity() < HEADER || memory.getInt(0) != MAGIC) {
            return Optional.empty();
        }
        memory.order(memory.get(4) == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        boolean finished = memory.get(7) == 1;
        return finished ? Optional.of(new HsPerfData(file, memory)) : Optional.empty();
    }

    /** Reads the present values. Keeps the last ones if the file cannot be read any more. */
    synchronized void refresh() {
        if (file.isPresent()) {
            try {
                copy(file.get(), memory.duplicate().clear());
            } catch (IOException e) {
                return;
            }
        }
    }

    private static void copy(FileChannel file, ByteBuffer into) throws IOException {
        int read = 0;
        while (into.hasRemaining() && read >= 0) {
            read = file.read(into, into.position());
        }
    }

    /** Returns the present value of a counter; ticks are converted to ns. */
    public synchronized OptionalLong counter(String name) {
        Optional<CounterEntry> entry = entry(name);
        if (entry.isEmpty() || entry.get().length() != 0) {
            return OptionalLong.empty();
        }
        long value = memory.getLong(entry.get().offset());
        return OptionalLong.of(entry.get().unit() == UNIT_TICKS ? toNanos(value) : value);
    }

    public synchronized Optional<String> text(String name) {
        return entry(name).filter(entry -> entry.length() > 0).map(entry -> {
            byte[] bytes = new byte[entry.length()];
            memory.get(entry.offset(), bytes);
            String text = new String(bytes, StandardCharsets.UTF_8);
            int end = text.indexOf('\0');
            return end < 0 ? text : text.substring(0, end);
        });
    }

    /** The JVM adds entries while it starts; the index follows. */
    private Optional<CounterEntry> entry(String name) {
        if (memory.getInt(28) != indexed) {
            index();
        }
        return Optional.ofNullable(index.get(name));
    }

    private void index() {
        int count = memory.getInt(28);
        int at = memory.getInt(24);
        index.clear();
        for (int i = 0; i < count && at >= 0 && at <= memory.capacity() - ENTRY_HEADER; i++) {
            int length = memory.getInt(at);
            int size = memory.getInt(at + 8);
            long data = (long) at + memory.getInt(at + 16);
            if (length < ENTRY_HEADER || size < 0 || data < 0 || data + Math.max(8, size) > memory.capacity()) {
                break;
            }
            index.put(name(at, length), new CounterEntry((int) data, size, memory.get(at + 14)));
            at += length;
        }
        indexed = count;
    }

    /** The name lies within its entry. */
    private String name(int entry, int length) {
        StringBuilder name = new StringBuilder();
        long end = Math.min(memory.capacity(), (long) entry + length);
        long begin = (long) entry + memory.getInt(entry + 4);
        for (long i = begin; begin > entry && i < end && memory.get((int) i) != 0; i++) {
            name.append((char) memory.get((int) i));
        }
        return name.toString();
    }

    private long toNanos(long ticks) {
        CounterEntry frequency = index.get("sun.os.hrt.frequency");
        long perSecond = frequency == null ? 1_000_000_000 : memory.getLong(frequency.offset());
        return perSecond == 1_000_000_000 ? ticks : (long) (ticks * (1e9 / perSecond));
    }
}
