package dev.kiln.importer.sysstat;

import dev.kiln.importer.format.Lines;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** ThreadNames remembers the names of threads, which come again every second, so that each is made into text once. */
final class ThreadNames {
    /** Processes that start threads for every request must not fill the memory. */
    private static final int REMEMBERED = 100_000;

    private static final class KnownThread {
        final int id;
        final byte[] bytes;
        final String name;
        /** The thread whose row followed this one's the last time: rows come in the same order every second. */
        Optional<KnownThread> next = Optional.empty();

        KnownThread(int id, byte[] bytes, String name) {
            this.id = id;
            this.bytes = bytes;
            this.name = name;
        }

        boolean is(int other, Lines lines, int from, int to) {
            return id == other && Arrays.equals(lines.bytes(), from, to, bytes, 0, bytes.length);
        }
    }

    private final Map<Integer, KnownThread> byThread = new HashMap<>();
    private KnownThread latest = new KnownThread(0, new byte[0], "");

    String of(int id, Lines lines, int from, int to) {
        if (latest.next.isPresent() && latest.next.get().is(id, lines, from, to)) {
            latest = latest.next.get();
            return latest.name;
        }
        KnownThread known = byThread.get(id);
        if (known == null || !known.is(id, lines, from, to)) {
            if (byThread.size() > REMEMBERED) {
                byThread.clear();
            }
            known = new KnownThread(
                    id,
                    Arrays.copyOfRange(lines.bytes(), from, to),
                    lines.text(from, to).strip());
            byThread.put(id, known);
        }
        latest.next = Optional.of(known);
        latest = known;
        return known.name;
    }
}
