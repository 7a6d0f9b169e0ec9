package dev.kiln.text;

import dev.kiln.files.InputFile;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.IoReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;

/** A Source is a text and what it is called in messages: a file's name, or {@code standard input}. */
public record Source(String name, String text) {
    private static final char BYTE_ORDER_MARK = '\ufeff';

    /** Some million rows, which are kept in memory. */
    private static final int MOST = 64 << 20;

    /** Reads a file; {@code -} is the standard input. */
    public static Source read(String file) {
        boolean standardInput = file.equals("-");
        try {
            return standardInput
                    ? decode("standard input", InputFile.limited(Path.of("standard input"), System.in, MOST))
                    : decode(file, InputFile.named(Path.of(file), MOST));
        } catch (IOException e) {
            String why = Files.isDirectory(Path.of(file))
                    ? "it is a folder"
                    : standardInput || Files.exists(Path.of(file)) ? IoReason.of(e) : "no such file";
            throw KilnException.usage(
                    "cannot read " + file + ": " + why, "name a file, or - for the standard input", e);
        }
    }

    /** Decodes UTF-8 and nothing else: a wrong guess would turn figures into others. */
    public static Source decode(String name, byte[] bytes) {
        if (bytes.length >= 2 && ((bytes[0] & 0xff) == 0xfe || (bytes[0] & 0xff) == 0xff)) {
            throw notUtf8(name, 1, "a UTF-16 mark");
        }
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length + 1);
        CoderResult result = decoder.decode(in, out, true);
        out.flip();
        String text = out.toString();
        int line = 1 + (int) text.chars().filter(c -> c == '\n').count();
        if (result.isError()) {
            throw notUtf8(name, line, "the byte 0x" + Integer.toHexString(bytes[in.position()] & 0xff));
        }
        int zero = text.indexOf('\0');
        if (zero >= 0) {
            line = 1
                    + (int) text.substring(0, zero)
                            .chars()
                            .filter(c -> c == '\n')
                            .count();
            throw notUtf8(name, line, "a zero byte");
        }
        return new Source(name, !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text);
    }

    /** Returns a complaint about a line, from 1, of a file: what was found and expected, and a remedy. */
    public static KilnException wrong(String file, int line, String complaint, String remedy) {
        return KilnException.usage(file + ":" + line + ": " + complaint, remedy);
    }

    /** Returns what is wrong with a JSON text, by kind and place, and nothing of a text not meant for Kiln. */
    public static String reason(JacksonException e) {
        if (!e.getPath().isEmpty()) {
            String place = e.getPath().stream()
                    .map(at -> at.getPropertyName() == null ? "[" + at.getIndex() + "]" : "." + at.getPropertyName())
                    .collect(Collectors.joining());
            // A record's own objection is in its own words.
            String why = e.getCause() == null || e.getCause().getMessage() == null
                    ? "is missing, or not of its kind"
                    : "is wrong: " + e.getCause().getMessage();
            return "'" + (place.startsWith(".") ? place.substring(1) : place) + "' " + why;
        }
        // The same of a document as a whole, and nothing else: a parser's own cause may have a text in it.
        Throwable cause = e.getCause();
        if (cause != null && cause.getClass() == IllegalArgumentException.class) {
            return "it is wrong: " + cause.getMessage();
        }
        return switch (e) {
            case UnexpectedEndOfInputException end -> "it ends in the middle, as if it had been cut short";
            case StreamConstraintsException much -> "it is too deep, or has too long a name or figure";
            default ->
                e.getLocation() == null || e.getLocation().getColumnNr() < 1
                        ? "something in it is missing, or not of its kind"
                        : "it goes wrong at column " + e.getLocation().getColumnNr();
        };
    }

    private static KilnException notUtf8(String name, int line, String found) {
        return wrong(name, line, "not UTF-8 text: found " + found, "save it as UTF-8, or: iconv -t UTF-8 FILE");
    }
}
