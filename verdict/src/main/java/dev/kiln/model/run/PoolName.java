package dev.kiln.model.run;

import java.util.regex.Pattern;

/** A PoolName is what the threads of one pool have in common: their name without the counter at its end. */
public final class PoolName {
    /** This matches the counter that ends a thread's name; the whole end where the name lacks its middle. */
    private static final Pattern COUNTER = Pattern.compile("(?<=\\.\\.)[^.]*\\d$|[-#]?\\d+$");

    private PoolName() {}

    public static String of(String thread) {
        return COUNTER.matcher(thread).replaceFirst("");
    }
}
