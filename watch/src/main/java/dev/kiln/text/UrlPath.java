package dev.kiln.text;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Folders as parts of an address. */
public final class UrlPath {
    private UrlPath() {}

    /** Encodes a path as an address has it. Slashes stay, so that it can be read. */
    public static String encoded(String path) {
        return URLEncoder.encode(path, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/");
    }
}
