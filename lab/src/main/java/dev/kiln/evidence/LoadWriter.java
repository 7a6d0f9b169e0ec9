package dev.kiln.evidence;

import dev.kiln.model.LoadBin;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Appends bins to {@code load.csv}. Rows reach the operating system on {@link #flush()}: what was flushed survives the death of
 * this process, though not of the machine.
 */
public final class LoadWriter implements Closeable {
    static final String HEADER =
            "phase,start_ns,end_ns,started,completed,refused,reset,timeout,non2xx,bad_body,backlog,lag_ns";

    private final OutputStream out;
    private final StringBuilder pending = new StringBuilder(4096);

    /** Appends to the file if it exists. */
    public LoadWriter(Path file) throws IOException {
        out = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        if (Files.size(file) == 0) {
            pending.append(HEADER).append('\n');
        }
    }

    /** The phase's name must have passed {@link #isValidPhaseName}. */
    public void write(LoadBin bin) {
        LoadBin.Errors e = bin.errors();
        pending.append(bin.phase());
        number(bin.startNanos());
        number(bin.endNanos());
        number(bin.started());
        number(bin.completed());
        number(e.refused());
        number(e.reset());
        number(e.timeout());
        number(e.non2xx());
        number(e.badBody());
        number(bin.backlog());
        number(bin.lagNanos());
        pending.append('\n');
    }

    /** Whether a name needs no quoting: it stands in CSV rows and in the tags of histogram logs as it is. */
    public static boolean isValidPhaseName(String name) {
        return !name.isEmpty()
                && name.chars().noneMatch(c -> c == ',' || c == '"' || c == '#' || Character.isWhitespace(c));
    }

    private void number(long n) {
        pending.append(',').append(n);
    }

    public void flush() throws IOException {
        if (!pending.isEmpty()) {
            out.write(pending.toString().getBytes(StandardCharsets.UTF_8));
            pending.setLength(0);
        }
    }

    @Override
    public void close() throws IOException {
        try (out) {
            flush();
        }
    }
}
