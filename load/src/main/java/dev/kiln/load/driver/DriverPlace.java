package dev.kiln.load.driver;

import java.util.List;

/** A DriverPlace is where the driver runs, if not on this machine, and the way there. */
public interface DriverPlace {
    /** Returns the place in words, without secrets. */
    String name();

    /**
     * Returns the command that starts a JVM of this Kiln there, and passes its input and output on.
     *
     * @param words flags, the name of the main class and its arguments; none has anything that a shell would change
     */
    List<String> command(List<String> words);

    /** Says that the connection was lost, and why if that can be known. */
    String lost();
}
