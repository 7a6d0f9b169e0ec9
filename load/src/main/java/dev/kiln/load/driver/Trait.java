package dev.kiln.load.driver;

/** A Trait makes a load need code that plain HTTP/1.1 with fixed requests does not use, so that the warm-up has to run it. */
public enum Trait {
    TLS,
    HTTP2,
    VARIED,
    SESSION
}
