package dev.kiln.jvm.flight;

import dev.kiln.jvm.CompiledCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import jdk.jfr.consumer.RecordedMethod;

/** CompiledMethods keeps each method's compilations by time and level: frames of C1 look like C2's. */
final class CompiledMethods {
    private static final int LEVEL_BITS = 3;
    private static final long NANOS_PER_MICRO = 1_000;

    /** One number holds end (us since 1970) and level, so ten thousand compilations of a method take 80 kB. */
    private static final class MethodLevels {
        private long[] ends = new long[2];
        private int size;
        private boolean sorted = true;

        void add(long end) {
            if (size == ends.length) {
                ends = Arrays.copyOf(ends, 2 * size);
            }
            sorted &= size == 0 || ends[size - 1] <= end;
            ends[size++] = end;
        }

        int levelAt(long micros) {
            if (!sorted) {
                Arrays.sort(ends, 0, size);
                sorted = true;
            }
            int found = Arrays.binarySearch(ends, 0, size, (micros + 1) << LEVEL_BITS);
            int latest = (found < 0 ? -found - 1 : found) - 1;
            return latest < 0 ? 0 : (int) (ends[latest] & (1 << LEVEL_BITS) - 1);
        }
    }

    private final Map<String, Integer> before;
    private final Map<String, Integer> ids = new HashMap<>();
    private final List<MethodLevels> histories = new ArrayList<>();
    private final List<String> names = new ArrayList<>();

    /** @param before the recording began: methods that had code, as {@link CompiledCode} names them, with its level */
    CompiledMethods(Map<String, Integer> before) {
        this.before = before;
    }

    /** Returns a number for the method, the same in all chunks. */
    int id(RecordedMethod method) {
        String key = method.getType().getName() + '.' + method.getName() + method.getDescriptor();
        return ids.computeIfAbsent(key, k -> {
            MethodLevels levels = new MethodLevels();
            // A level without a time is one from before all times.
            Optional.ofNullable(before.get(CompiledCode.plain(key))).ifPresent(levels::add);
            histories.add(levels);
            names.add(method.getType().getName() + '.' + method.getName());
            return histories.size() - 1;
        });
    }

    /** Returns {@code class.method}; methods of one name have the same. */
    String name(int id) {
        return names.get(id);
    }

    void compiled(RecordedMethod method, long endEpochNanos, int level) {
        histories.get(id(method)).add((endEpochNanos / NANOS_PER_MICRO) << LEVEL_BITS | level);
    }

    /** Returns the level of the latest compilation that ended before that time; 0 if none was recorded. */
    int levelAt(int id, long epochNanos) {
        return histories.get(id).levelAt(epochNanos / NANOS_PER_MICRO);
    }
}
