package dev.kiln.runner;

/** The user ended the experiment; what was recorded is kept. */
public final class Interrupted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Interrupted() {
        super("interrupted");
    }
}
