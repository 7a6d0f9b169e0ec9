package dev.kiln.jvm;

import dev.kiln.model.JitSample.Levels;
import java.util.Optional;

/**
 * The answer to {@code Compiler.codelist}, a line for each compiled method: {@code id level state signature [addresses]}.
 * Megabytes in a large program, so it is counted without making strings.
 */
final class CodeList {
    /** Of the states, the only one with the same number in all versions: the code may be entered. */
    private static final int IN_USE = '0';

    private CodeList() {}

    /** Empty if no line reads so. Level 0 are wrappers of native methods. */
    static Optional<Levels> levels(byte[] list) {
        int[] counts = new int[5];
        boolean any = false;
        int position = 0;
        while (position < list.length) {
            int id = digits(list, position);
            if (id > position
                    && id + 4 < list.length
                    && list[id] == ' '
                    && list[id + 2] == ' '
                    && list[id + 4] == ' ') {
                int level = list[id + 1] - '0';
                any |= level >= 0 && level < counts.length;
                if (level >= 0 && level < counts.length && list[id + 3] == IN_USE) {
                    counts[level]++;
                }
            }
            position = nextLine(list, id);
        }
        return any || list.length == 0
                ? Optional.of(new Levels(counts[1], counts[2], counts[3], counts[4]))
                : Optional.empty();
    }

    private static int digits(byte[] text, int from) {
        int i = from;
        while (i < text.length && text[i] >= '0' && text[i] <= '9') {
            i++;
        }
        return i;
    }

    private static int nextLine(byte[] text, int from) {
        int i = from;
        while (i < text.length && text[i] != '\n') {
            i++;
        }
        return i + 1;
    }
}
