package dev.kiln.plan.load;

import dev.kiln.plan.text.Problems.BadValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/** A RecordedTraffic is the requests of a recorded file, with counts of its entries that cannot be sent. */
final class RecordedTraffic {
    static final String EXPECTED = "a HAR file, or an access log in the common or combined format";

    private static final int HOSTS_SHOWN = 3;

    /** A RecordedRequest is one request of the file; its target is path and query. */
    record RecordedRequest(long atNanos, String method, String target, List<RecordedHeader> headers, String body) {
        private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

        record RecordedHeader(String name, String value) {}

        boolean shouldHaveBody() {
            return WITH_BODY.contains(method);
        }
    }

    private final String file;
    private final String one;
    private final String many;
    private final List<RecordedRequest> requests = new ArrayList<>();
    private final TreeSet<String> hosts = new TreeSet<>();
    private int seen;
    private int notUnderstood;
    private String firstReason = "";
    private int withoutBody;
    private int firstWithoutBody;

    /** Begins with no request; a line or an entry has one, in the singular and the plural. */
    RecordedTraffic(String file, String one, String many) {
        this.file = file;
        this.one = one;
        this.many = many;
    }

    /**
     * Adds the next request.
     *
     * @param place of the line or entry, from 1
     * @param parse gives the request, empty if its body was not recorded; complains of what is no request
     */
    void add(int place, Supplier<Optional<RecordedRequest>> parse) {
        seen++;
        try {
            Optional<RecordedRequest> request = parse.get();
            request.ifPresent(requests::add);
            if (request.isEmpty() && withoutBody++ == 0) {
                firstWithoutBody = place;
            }
        } catch (BadValue e) {
            if (notUnderstood++ == 0) {
                firstReason = one + " " + place + ": " + e.text();
            }
        }
    }

    /** Adds a host to which a recorded request went. */
    void host(String name) {
        hosts.add(name);
    }

    /** Returns at least one request. A file with none, or mostly no requests, is a {@link BadValue}. */
    List<RecordedRequest> requests() {
        if (seen == 0) {
            throw BadValue.of("no request in '" + file + "'", EXPECTED);
        }
        if (2L * notUnderstood > seen) {
            throw BadValue.of("'" + file + "', where " + words(notUnderstood) + " (" + firstReason + ")", EXPECTED);
        }
        if (requests.isEmpty()) {
            throw BadValue.of("only requests in '" + file + "' whose bodies were not recorded", "a HAR file with them");
        }
        return requests;
    }

    /** Returns what of the file is not sent as it was recorded, in words; empty if all of it is. */
    Optional<String> note() {
        List<String> parts = new ArrayList<>();
        if (notUnderstood > 0) {
            parts.add(words(notUnderstood) + " (" + firstReason + ")");
        }
        if (withoutBody > 0) {
            parts.add(String.format(
                    Locale.ROOT,
                    "%,d of %,d %s %s not sent, because the body was not recorded (the first is %s %d)",
                    withoutBody,
                    seen,
                    many,
                    withoutBody == 1 ? "is" : "are",
                    one,
                    firstWithoutBody));
        }
        if (hosts.size() > 1) {
            List<String> shown = hosts.stream().limit(HOSTS_SHOWN).toList();
            parts.add("requests to " + hosts.size() + " hosts go to one (" + String.join(", ", shown)
                    + (hosts.size() > HOSTS_SHOWN ? ", ..." : "") + ")");
        }
        return parts.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", parts));
    }

    private String words(int count) {
        return String.format(
                Locale.ROOT,
                "%,d of %,d %s %s no request%s",
                count,
                seen,
                many,
                count == 1 ? "is" : "are",
                count == 1 ? "" : "s");
    }

    /** Returns a path and query as a request can have them, of text whose characters are bytes. */
    static String target(String bytes) {
        StringBuilder target = new StringBuilder();
        for (int i = 0; i < bytes.length(); i++) {
            char c = bytes.charAt(i);
            if (c > ' ' && c < 0x7f) {
                target.append(c);
            } else {
                target.append(String.format(Locale.ROOT, "%%%02X", (int) c));
            }
        }
        return target.toString();
    }

    /** Returns the path and query of a URL without its scheme and host. */
    static String pathOf(String url) {
        int authority = url.indexOf("://") + 3;
        int path = authority;
        while (path < url.length() && "/?#".indexOf(url.charAt(path)) < 0) {
            path++;
        }
        int fragment = url.indexOf('#', path);
        String rest = url.substring(path, fragment < 0 ? url.length() : fragment);
        return rest.startsWith("/") ? rest : "/" + rest;
    }

    static String method(String text) {
        if (!text.matches("[A-Z]{1,20}") || text.equals("CONNECT")) {
            throw new BadValue("no HTTP method that can be sent");
        }
        return text;
    }
}
