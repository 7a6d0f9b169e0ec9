package dev.kiln.evidence;

import dev.kiln.files.OutputFile;
import dev.kiln.model.KilnException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A CsvWriter appends rows to one CSV file. Only whole rows reach the file: when the disk is full, what was written
 * before stays readable.
 *
 * <p>Rows are encoded by hand into one buffer, because writing must not cost what it records.
 */
final class CsvWriter implements AutoCloseable {
    private static final int ENOUGH = 32 * 1024;

    /** No more texts than this are kept in encoded form: the same names of threads and parts repeat. */
    private static final int REMEMBERED = 1000;

    private final Path file;
    private final FileChannel channel;
    private final Map<String, byte[]> encoded = new HashMap<>();
    private byte[] buffer = new byte[64 * 1024];
    private int used;
    private boolean rowBegun;
    private final Digits.Repeated figures = new Digits.Repeated();

    private interface Opening {
        FileChannel open(Path file) throws IOException;
    }

    /** Opens a new file with its header, and replaces the old one if there is one. */
    CsvWriter(Path file, List<String> header) {
        this(file, header, OutputFile::anew);
    }

    private CsvWriter(Path file, List<String> header, Opening opening) {
        this.file = file;
        try {
            channel = opening.open(file);
            if (channel.size() == 0) {
                header.forEach(this::field);
                endRow();
                flush();
            }
        } catch (IOException e) {
            throw cannotWrite(file, e);
        }
    }

    /** Opens a file to append to; a new or empty one gets its header. */
    static CsvWriter append(Path file, List<String> header) {
        return new CsvWriter(file, header, OutputFile::growing);
    }

    CsvWriter field(long value) {
        separate();
        room(Digits.MOST);
        used = figures.write(buffer, used, value);
        return this;
    }

    /** Writes an empty field for a figure that was not read this time. */
    CsvWriter fieldOrEmpty(long value) {
        return value == 0 ? field("") : field(value);
    }

    CsvWriter fieldOrEmpty(OptionalInt value) {
        return value.isPresent() ? field(value.getAsInt()) : field("");
    }

    CsvWriter fieldOrEmpty(OptionalLong value) {
        return value.isPresent() ? field(value.getAsLong()) : field("");
    }

    CsvWriter fieldOrEmpty(Optional<? extends Number> value) {
        return value.isPresent() ? field(value.get().longValue()) : field("");
    }

    CsvWriter field(String value) {
        separate();
        byte[] text = encoded.get(value);
        if (text == null) {
            text = quoted(value).getBytes(StandardCharsets.UTF_8);
            if (encoded.size() < REMEMBERED) {
                encoded.put(value, text);
            }
        }
        copy(text);
        return this;
    }

    void endRow() {
        room(1);
        buffer[used++] = '\n';
        rowBegun = false;
        if (used > ENOUGH) {
            flush();
        }
    }

    /** Appends whole rows that are already encoded, each with its end of line. */
    void rows(String text) {
        copy(text.getBytes(StandardCharsets.UTF_8));
        if (used > ENOUGH) {
            flush();
        }
    }

    void flush() {
        if (used == 0) {
            return;
        }
        appendWhole(channel, file, ByteBuffer.wrap(buffer, 0, used));
        used = 0;
    }

    /** Writes all bytes or, on a full disk, none: the caller may try again later and writes nothing twice. */
    static void appendWhole(FileChannel channel, Path file, ByteBuffer bytes) {
        long whole = -1;
        try {
            whole = channel.size();
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            cutTo(channel, whole, e);
            throw cannotWrite(file, e);
        }
    }

    @Override
    public void close() {
        try (channel) {
            flush();
        } catch (IOException e) {
            throw cannotWrite(file, e);
        }
    }

    static KilnException cannotWrite(Path file, IOException e) {
        return KilnException.machine(
                e,
                "cannot write " + file,
                "make room or choose another folder for results; what was written so far stays readable");
    }

    /** Returns a field, in quotes if it needs them, on one line: a cut file loses its last row only. */
    static String quoted(String value) {
        String line = value.replace('\n', ' ').replace('\r', ' ').replace('\0', ' ');
        boolean plain = line.indexOf(',') < 0 && line.indexOf('"') < 0;
        return plain ? line : '"' + line.replace("\"", "\"\"") + '"';
    }

    private static void cutTo(FileChannel channel, long size, IOException cause) {
        try {
            if (size >= 0) {
                channel.truncate(size);
            }
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    private void copy(byte[] text) {
        room(text.length);
        System.arraycopy(text, 0, buffer, used, text.length);
        used += text.length;
    }

    private void separate() {
        if (rowBegun) {
            room(1);
            buffer[used++] = ',';
        }
        rowBegun = true;
    }

    private void room(int bytes) {
        if (used + bytes > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, used + bytes));
        }
    }
}
