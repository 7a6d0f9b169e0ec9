package dev.kiln.text;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;

/** What is wrong in a file, said with its place. */
public final class BadText {
    private BadText() {}

    /**
     * A complaint about one line.
     *
     * @param line from 1
     * @param complaint what was found and what was expected
     */
    public static KilnException at(String file, int line, String complaint, String remedy) {
        return new KilnException(Exit.USAGE, file + ":" + line + ": " + complaint, remedy);
    }
}
