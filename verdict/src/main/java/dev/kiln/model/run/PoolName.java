package dev.kiln.model.run;

import java.util.regex.Pattern;

/** A PoolName is what the threads of one pool have in common: their name without the counter at its end. */
public final class PoolName {
    /**
     * This pattern matches the counter that ends a thread's name. Where a name lacks its middle, the whole end counts:
     * it is another part of the name for each number of digits.
     */
    private static final Pattern COUNTER = Pattern.compile("(?<=\\.\\.)[^.]*\\d$|[-#]?\\d+$");

    private PoolName() {}

    public static String of(String thread) {
        return COUNTER.matcher(thread).replaceFirst("");
    }
}
