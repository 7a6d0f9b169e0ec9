package dev.kiln.importer;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Names of threads come again every second: they are made into text once. */
final class ThreadNames {
    /** Processes that start threads for every request must not fill the memory. */
    private static final int REMEMBERED = 100_000;

    private record Known(byte[] bytes, String name) {}

    private final Map<Integer, Known> byThread = new HashMap<>();

    String of(int id, Lines lines, int from, int to) {
        Known known = byThread.get(id);
        if (known != null && Arrays.equals(lines.bytes(), from, to, known.bytes(), 0, known.bytes().length)) {
            return known.name();
        }
        String name = lines.text(from, to).strip();
        if (byThread.size() > REMEMBERED) {
            byThread.clear();
        }
        byThread.put(id, new Known(Arrays.copyOfRange(lines.bytes(), from, to), name));
        return name;
    }
}
