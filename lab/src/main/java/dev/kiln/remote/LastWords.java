package dev.kiln.remote;

import dev.kiln.host.process.LimitedLines;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** LastWords are the last lines that a command wrote to its error output, without that in which a far shell tells its exit code. */
final class LastWords {
    private static final int LINES = 20;
    private static final int LONGEST_LINE = 1 << 20;

    private final Deque<String> lines = new ArrayDeque<>();
    private final Thread reader;
    private volatile OptionalInt told = OptionalInt.empty();

    private LastWords(Process process) {
        reader = Thread.ofPlatform().daemon().name("kiln-last-words").unstarted(() -> collect(process));
    }

    /** Reads what a process says from now on. */
    static LastWords of(Process process) {
        LastWords words = new LastWords(process);
        words.reader.start();
        return words;
    }

    private void collect(Process process) {
        LimitedLines.each(process.errorReader(StandardCharsets.UTF_8), LONGEST_LINE, line -> {
            OptionalInt code = FarShell.told(line);
            if (code.isPresent()) {
                told = code;
            } else {
                add(line);
            }
        });
    }

    void add(String line) {
        synchronized (lines) {
            lines.add(line);
            if (lines.size() > LINES) {
                lines.remove();
            }
        }
    }

    /** Waits a while for what a process that has ended said. */
    void await() {
        try {
            reader.join(TimeUnit.SECONDS.toMillis(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the exit code that a shell told; empty where none did. */
    OptionalInt told() {
        return told;
    }

    String text() {
        synchronized (lines) {
            return String.join("\n", lines);
        }
    }
}
