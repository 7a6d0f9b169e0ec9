package dev.kiln.load.driver.http;

import io.netty.handler.codec.http.cookie.ClientCookieDecoder;
import io.netty.handler.codec.http.cookie.Cookie;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Cookies are a user's of one host (RFC 6265), by name and path; domains and {@code Secure} do not matter. */
final class Cookies {
    /** A user keeps at most this many, as a browser does at least (RFC 6265, 6.1); the oldest goes first. */
    private static final int MOST = 50;

    /** A longer one is not kept, as browsers have it (RFC 6265, 6.1): each request of each user has all of them. */
    private static final int MOST_CHARACTERS = 4096;

    private record KeptCookie(String name, String path, String pair) {}

    private final List<KeptCookie> kept = new ArrayList<>();

    void clear() {
        kept.clear();
    }

    /** Sets cookies by a {@code Set-Cookie} header, and the path of the request that it answers. */
    void set(String header, String requestPath) {
        Cookie cookie =
                header.chars().anyMatch(Character::isISOControl) ? null : ClientCookieDecoder.LAX.decode(header);
        if (cookie == null) {
            return;
        }
        String asked = cookie.path();
        String path = asked == null || !asked.startsWith("/") ? folder(requestPath) : asked;
        String pair = cookie.name() + "=" + (cookie.wrap() ? '"' + cookie.value() + '"' : cookie.value());
        if (pair.length() + path.length() > MOST_CHARACTERS) {
            return;
        }
        kept.removeIf(one -> one.name.equals(cookie.name()) && one.path.equals(path));
        // An Expires of the past is an age below zero.
        if (cookie.maxAge() == Cookie.UNDEFINED_MAX_AGE || cookie.maxAge() > 0) {
            if (kept.size() == MOST) {
                kept.removeFirst();
            }
            kept.add(new KeptCookie(cookie.name(), path, pair));
        }
    }

    /** Returns the path of a cookie that names none (RFC 6265, 5.1.4). */
    private static String folder(String requestPath) {
        int slash = requestPath.lastIndexOf('/');
        return slash <= 0 ? "/" : requestPath.substring(0, slash);
    }

    boolean isEmpty() {
        return kept.isEmpty();
    }

    /** Returns the cookie header of a request, those with longer paths first; empty for none. */
    String header(String requestPath) {
        return kept.stream()
                .filter(one -> matches(one.path, requestPath))
                .sorted(Comparator.comparingInt((KeptCookie one) -> -one.path.length()))
                .map(KeptCookie::pair)
                .collect(Collectors.joining("; "));
    }

    /** Tells whether a cookie's path covers that of a request (RFC 6265, 5.1.4). */
    private static boolean matches(String path, String requestPath) {
        return requestPath.startsWith(path)
                && (requestPath.length() == path.length()
                        || path.endsWith("/")
                        || requestPath.charAt(path.length()) == '/');
    }
}
