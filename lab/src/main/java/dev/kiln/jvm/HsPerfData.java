package dev.kiln.jvm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The counters that a HotSpot JVM keeps in a file. Reading them takes no agent, no attaching and no work of the JVM.
 *
 * <p>Layout, version 2.0: magic at 0 (big-endian), byte order at 4, whether the JVM has finished it at 7, offset of the
 * first entry at 24, number of entries at 28. An entry: length, offset of the name, length of a vector or 0 (int each),
 * type, flags, unit, variability (byte each), offset of the data (int).
 */
public final class HsPerfData {
    private static final int MAGIC = 0xcafec0c0;
    private static final int UNIT_TICKS = 3;

    private final ByteBuffer memory;
    private final Map<String, Entry> index = new HashMap<>();
    private int indexed;

    /** @param length of a vector in bytes; 0 for a single long */
    private record Entry(int offset, int length, int unit) {}

    HsPerfData(ByteBuffer memory) {
        this.memory = memory;
    }

    /** Maps the file of a JVM; empty until the JVM has finished its header. */
    static Optional<HsPerfData> map(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.size() < 32
                    ? Optional.empty()
                    : of(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()));
        }
    }

    static Optional<HsPerfData> of(ByteBuffer file) {
        ByteBuffer memory = file.duplicate(); // big-endian, as the magic is
        if (memory.getInt(0) != MAGIC) {
            return Optional.empty();
        }
        memory.order(memory.get(4) == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        boolean finished = memory.get(7) == 1;
        return finished ? Optional.of(new HsPerfData(memory)) : Optional.empty();
    }

    /** The present value of a counter; ticks are converted to ns. */
    public OptionalLong counter(String name) {
        Optional<Entry> entry = entry(name);
        if (entry.isEmpty() || entry.get().length() != 0) {
            return OptionalLong.empty();
        }
        long value = memory.getLong(entry.get().offset());
        return OptionalLong.of(entry.get().unit() == UNIT_TICKS ? toNanos(value) : value);
    }

    public Optional<String> text(String name) {
        return entry(name).filter(entry -> entry.length() > 0).map(entry -> {
            byte[] bytes = new byte[entry.length()];
            memory.get(entry.offset(), bytes);
            String text = new String(bytes, StandardCharsets.UTF_8);
            int end = text.indexOf('\0');
            return end < 0 ? text : text.substring(0, end);
        });
    }

    /** The JVM adds entries while it starts; the index follows. */
    private synchronized Optional<Entry> entry(String name) {
        if (memory.getInt(28) != indexed) {
            index();
        }
        return Optional.ofNullable(index.get(name));
    }

    private void index() {
        int count = memory.getInt(28);
        int at = memory.getInt(24);
        index.clear();
        for (int i = 0; i < count && at >= 0 && at + 20 <= memory.capacity(); i++) {
            int length = memory.getInt(at);
            int data = at + memory.getInt(at + 16);
            int size = memory.getInt(at + 8);
            if (length <= 0 || data < 0 || size < 0 || data + Math.max(8, size) > memory.capacity()) {
                break;
            }
            index.put(name(at + memory.getInt(at + 4)), new Entry(data, size, memory.get(at + 14)));
            at += length;
        }
        indexed = count;
    }

    private String name(int offset) {
        StringBuilder name = new StringBuilder();
        for (int i = offset; i < memory.capacity() && memory.get(i) != 0; i++) {
            name.append((char) memory.get(i));
        }
        return name.toString();
    }

    private long toNanos(long ticks) {
        Entry frequency = index.get("sun.os.hrt.frequency");
        long perSecond = frequency == null ? 1_000_000_000 : memory.getLong(frequency.offset());
        return perSecond == 1_000_000_000 ? ticks : (long) (ticks * (1e9 / perSecond));
    }
}
