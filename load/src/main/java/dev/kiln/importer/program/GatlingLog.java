package dev.kiln.importer.program;

import dev.kiln.files.InputFile;
import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.program.Request.RequestOutcome;
import dev.kiln.model.KilnException;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A GatlingLog reads Gatling's {@code simulation.log} from 3.13 on: binary, big-endian, and laid out anew when Gatling likes:
 * its first record tells the version, and only those whose layout was checked are read (a real log of 3.15; the writers of
 * 3.13.0 to 3.15.1 lay these records out alike). Times are ms; a record is written when its request ended.
 */
public final class GatlingLog {
    /** Minor versions with the layout below. */
    private static final Set<String> KNOWN = Set.of("3.13", "3.14", "3.15");

    /** VERSIONS names all versions that can be read, those of text and of bytes. */
    public static final String VERSIONS = GatlingText.VERSIONS;

    public static final Format FORMAT = Format.loads(
            "Gatling's simulation.log",
            head -> isHead(head.bytes()) || head.first(GatlingText::isHead),
            GatlingLog::of);

    private static final int RUN = 0;
    private static final int REQUEST = 1;
    private static final int USER = 2;
    private static final int GROUP = 3;
    private static final int ERROR = 4;
    private static final int LONGEST_TEXT = 1 << 20;
    private static final long MILLI = 1_000_000;
    private static final long BIN = 100_000_000;

    private final Path file;
    private final DataInputStream in;
    private final Map<Integer, String> texts = new HashMap<>();
    private long records;

    private GatlingLog(Path file, DataInputStream in) {
        this.file = file;
        this.in = in;
    }

    /** Tells whether this is a first record: header 0, then a version such as 3.15.1 with its length. */
    private static boolean isHead(byte[] head) {
        if (head.length < 16 || head[0] != RUN || head[1] != 0 || head[2] != 0 || head[3] != 0 || head[4] < 3) {
            return false;
        }
        String version = new String(head, 5, Math.min(head[4], head.length - 5), StandardCharsets.ISO_8859_1);
        return version.matches("\\d+\\.\\d+.*");
    }

    /** Tells whether the logs of a version can be read. */
    public static boolean reads(String version) {
        return isKnown(version) || GatlingText.minor(version).isPresent();
    }

    private static boolean isKnown(String version) {
        String[] parts = version.split("\\.", 3);
        return parts.length > 1 && KNOWN.contains(parts[0] + "." + parts[1]);
    }

    public static Optional<LoadSource> of(Path file) {
        return RequestLog.of("Gatling", file, true, BIN, GatlingLog::parse);
    }

    public static void parse(Path file, Consumer<Request> requests, Consumer<String> gaps) {
        try (InputStream in = InputFile.followed(file)) {
            parse(file, in, requests, gaps);
        } catch (IOException e) {
            throw Lines.unreadable(file.toString(), e);
        }
    }

    /** Parses the same of a log that may still grow, and whose reading therefore waits. */
    public static void parse(Path file, InputStream log, Consumer<Request> requests, Consumer<String> gaps) {
        try (BufferedInputStream in = new BufferedInputStream(log)) {
            in.mark(1);
            boolean text = in.read() > ' ';
            in.reset();
            if (text) {
                GatlingText.parse(new Lines(file.toString(), in), requests, gaps);
            } else {
                new GatlingLog(file, new DataInputStream(in)).parse(requests, gaps);
            }
        } catch (IOException e) {
            throw Lines.unreadable(file.toString(), e);
        }
    }

    private void parse(Consumer<Request> requests, Consumer<String> gaps) throws IOException {
        long start = run();
        try {
            for (int header = in.read(); header >= 0; header = in.read()) {
                records++;
                switch (header) {
                    case REQUEST -> request(start).ifPresent(requests);
                    case USER -> in.skipNBytes(4 + 1 + 4);
                    case GROUP -> {
                        groups();
                        in.skipNBytes(4 + 4 + 4 + 1);
                    }
                    case ERROR -> {
                        cachedText();
                        in.skipNBytes(4);
                    }
                    default -> throw malformed("a record of kind " + header);
                }
            }
        } catch (EOFException e) {
            gaps.accept(file + ": record " + records + ": the last record is cut short and left out");
        }
    }

    /** Reads the first record. Older logs are lines of text. */
    private long run() throws IOException {
        try {
            int header = in.read();
            if (header != RUN) {
                throw GatlingText.unknown(file.toString(), "not a log of Gatling");
            }
            String version = text();
            if (!isKnown(version)) {
                throw GatlingText.unknown(file.toString(), "a log of Gatling " + version);
            }
            text();
            long start = in.readLong();
            if (start <= 0 || start > Long.MAX_VALUE / MILLI / 2) {
                throw malformed("a start at " + start + " ms");
            }
            text();
            for (int left = count(); left > 0; left--) {
                text();
            }
            for (int left = count(); left > 0; left--) {
                in.skipNBytes(length());
            }
            return start;
        } catch (EOFException e) {
            throw malformed("the end of the file within the first record");
        }
    }

    private Optional<Request> request(long start) throws IOException {
        groups();
        cachedText();
        int from = in.readInt();
        int to = in.readInt();
        boolean ok = in.readBoolean();
        String message = cachedText();
        if (to == (int) (Long.MIN_VALUE - start)) {
            // Something came in that nobody had asked for: its end is the least time, of which these bits are written.
            return Optional.empty();
        }
        if (from < 0 || to < from) {
            throw malformed("a request from " + from + " to " + to + " ms");
        }
        RequestOutcome outcome = ok ? RequestOutcome.OK : GatlingText.outcome(message);
        return Optional.of(
                new Request((start + from) * MILLI, (long) (to - from) * MILLI, outcome, file + ": record " + records));
    }

    private void groups() throws IOException {
        for (int left = count(); left > 0; left--) {
            cachedText();
        }
    }

    /** A text comes with its number the first time, and as that number's negative again. */
    private String cachedText() throws IOException {
        int index = in.readInt();
        if (index < 0) {
            String known = texts.get(-index);
            if (known == null) {
                throw malformed("text " + -index + " before it was defined");
            }
            return known;
        }
        String text = text();
        texts.put(index, text);
        return text;
    }

    /** Reads a string in one of Java's own two encodings: a byte or two a character, the second little-endian. */
    private String text() throws IOException {
        int length = length();
        if (length == 0) {
            return "";
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException();
        }
        byte coder = in.readByte();
        if (coder != 0 && coder != 1) {
            throw malformed("a text of encoding " + coder);
        }
        return new String(bytes, coder == 0 ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_16LE);
    }

    private int length() throws IOException {
        int length = in.readInt();
        if (length < 0 || length > LONGEST_TEXT) {
            throw malformed("a text of " + length + " bytes");
        }
        return length;
    }

    private int count() throws IOException {
        int count = in.readInt();
        if (count < 0 || count > LONGEST_TEXT) {
            throw malformed("a list of " + count);
        }
        return count;
    }

    private KilnException malformed(String found) {
        return KilnException.usage(
                file + ": record " + records + ": found " + found + ", expected a log of Gatling",
                "restore the file as Gatling wrote it");
    }
}
