package dev.kiln.serve;

import com.sun.net.httpserver.Headers;
import java.util.List;
import java.util.Optional;

/**
 * An Asker is who asks for a page, as far as the browser says it of each request (Fetch Metadata). A page of another site could read
 * no answer, but have Kiln read gigabytes of evidence for it.
 */
enum Asker {
    /** Somebody who uses Kiln's pages, follows a link to one, or uses no browser. */
    SOMEBODY,

    /** A page of another site, as for a picture, a frame or data. */
    OTHER_SITE,

    /** A page of another site that goes here without a click, by its script or after a time: one experiment after the other, if it likes. */
    LED_BY_OTHER_SITE;

    static Asker of(Headers headers) {
        String site = Optional.ofNullable(headers.getFirst("Sec-Fetch-Site")).orElse("none");
        if (List.of("same-origin", "none").contains(site)) {
            return SOMEBODY;
        }
        if (!"document".equals(headers.getFirst("Sec-Fetch-Dest"))) {
            return OTHER_SITE;
        }
        return "?1".equals(headers.getFirst("Sec-Fetch-User")) ? SOMEBODY : LED_BY_OTHER_SITE;
    }
}
