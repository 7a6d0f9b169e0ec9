package dev.kiln.runner;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** A log that another process is writing. */
final class LogTail {
    private static final int TAIL_BYTES = 16 * 1024;

    private LogTail() {}

    /** The last lines, as a remedy's text: what the process itself said is the best explanation. */
    static String lastLines(Path log, int lines) {
        List<String> all = read(log, TAIL_BYTES).lines().toList();
        return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
    }

    static boolean contains(Path log, Pattern pattern) {
        return pattern.matcher(read(log, Integer.MAX_VALUE)).find();
    }

    private static String read(Path log, int atMost) {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            long from = Math.max(0, file.length() - atMost);
            file.seek(from);
            byte[] bytes = new byte[(int) Math.min(atMost, file.length() - from)];
            // A plain read may give less than it was asked for.
            file.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException notThereYet) {
            return "";
        }
    }
}
