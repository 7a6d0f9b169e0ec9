package dev.kiln.plan;

/** A text that is not what it should be; whoever knows where it stands adds the place. */
final class BadValue extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadValue(String message) {
        super(message, null, false, false);
    }

    /** The common form of a message. */
    static BadValue of(String found, String expected) {
        return new BadValue("found " + found + ", expected " + expected);
    }

    String text() {
        return String.valueOf(getMessage());
    }
}
