package dev.kiln.text;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;

/** PathText writes a path as a part of an address, and says why a text is no path. */
public final class PathText {
    /** Java encodes the names of files so; it is the encoding of the locale. */
    private static final String ENCODING = "sun.jnu.encoding";

    private PathText() {}

    /** Encodes a path as an address has it. Slashes stay, so that it can be read. */
    public static String inUrl(String path) {
        return URLEncoder.encode(path, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/");
    }

    /** Returns what is wrong with the text, and what to do about it. */
    public static String why(InvalidPathException e) {
        return e.getInput().indexOf('\0') >= 0
                ? "a path holds no zero byte; leave it out"
                : "the locale has no such letters (" + System.getProperty(ENCODING) + "); run Kiln with LC_ALL=C.UTF-8";
    }
}
