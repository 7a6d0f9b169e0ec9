package dev.kiln.load.driver;

/** What makes a load need other code than HTTP/1.1 in plain text with fixed requests does. It is driven in the warm-up. */
public enum Trait {
    TLS,
    HTTP2,
    VARIED,
    SESSION
}
