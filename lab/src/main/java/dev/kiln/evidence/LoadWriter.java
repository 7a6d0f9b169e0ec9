package dev.kiln.evidence;

import dev.kiln.model.LoadBin;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * Appends bins to {@code load.csv}. Rows reach the operating system on {@link #flush()}: what was flushed survives the death of
 * this process, though not of the machine.
 */
public final class LoadWriter implements Closeable {
    static final String HEADER =
            "phase,start_ns,end_ns,started,completed,refused,reset,timeout,non2xx,bad_body,backlog,lag_ns";

    private static final int COLUMNS = HEADER.split(",", -1).length;

    private final OutputStream out;
    private byte[] pending = new byte[4096];
    private int used;
    private final RepeatedDigits figures = new RepeatedDigits();
    private String phase = "";
    private byte[] phaseBytes = new byte[0];

    /** Appends to the file if it exists. */
    public LoadWriter(Path file) throws IOException {
        out = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        if (Files.size(file) == 0) {
            text(HEADER.getBytes(StandardCharsets.UTF_8));
            pending[used++] = '\n';
        }
    }

    /** The phase's name must have passed {@link #isValidPhaseName}. */
    public void write(LoadBin bin) {
        LoadBin.Errors e = bin.errors();
        if (!bin.phase().equals(phase)) {
            phase = bin.phase();
            phaseBytes = phase.getBytes(StandardCharsets.UTF_8);
        }
        text(phaseBytes);
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
        pending[used++] = '\n';
    }

    /** Whether a name needs no quoting: it stands in CSV rows and in the tags of histogram logs as it is. */
    public static boolean isValidPhaseName(String name) {
        return !name.isEmpty()
                && name.chars().noneMatch(c -> c == ',' || c == '"' || c == '#' || Character.isWhitespace(c));
    }

    private void number(long n) {
        pending[used++] = ',';
        used = figures.write(pending, used, n);
    }

    /** Makes room for it and for the rest of a row. */
    private void text(byte[] text) {
        int row = text.length + COLUMNS * (Digits.MOST + 1) + 1;
        if (used + row > pending.length) {
            pending = Arrays.copyOf(pending, Math.max(2 * pending.length, used + row));
        }
        System.arraycopy(text, 0, pending, used, text.length);
        used += text.length;
    }

    public void flush() throws IOException {
        if (used > 0) {
            out.write(pending, 0, used);
            used = 0;
        }
    }

    @Override
    public void close() throws IOException {
        try (out) {
            flush();
        }
    }
}
