package dev.kiln.host.process;

import java.io.BufferedReader;
import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;
import java.util.Optional;
import java.util.function.Consumer;

/** LimitedLines are what another program writes, for a reader of lines: one without an end must not fill memory. */
public final class LimitedLines extends FilterReader {
    private final int most;
    private long length;

    /** @param most characters of a line */
    public LimitedLines(Reader in, int most) {
        super(in);
        this.most = most;
    }

    /** A TooLong says that a line is longer than any should be. */
    private static final class TooLong extends IOException {
        private static final long serialVersionUID = 1L;

        private TooLong(int most) {
            super("a line has more than " + most + " characters");
        }
    }

    /** Passes each line on until there is none, or one is too long; returns that in words, and nothing at the end. */
    public static Optional<String> each(Reader from, int most, Consumer<String> to) {
        try (BufferedReader lines = new BufferedReader(new LimitedLines(from, most))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                to.accept(line);
            }
            return Optional.empty();
        } catch (TooLong e) {
            return Optional.ofNullable(e.getMessage());
        } catch (IOException e) {
            // The process is gone.
            return Optional.empty();
        }
    }

    @Override
    public int read() throws IOException {
        char[] one = new char[1];
        return read(one, 0, 1) < 0 ? -1 : one[0];
    }

    @Override
    public int read(char[] into, int from, int chars) throws IOException {
        int n = in.read(into, from, chars);
        int last = n - 1;
        while (last >= 0 && into[from + last] != '\n') {
            last--;
        }
        length = last < 0 ? length + Math.max(0, n) : n - 1 - last;
        if (length > most) {
            throw new TooLong(most);
        }
        return n;
    }
}
