package dev.kiln.runner;

import dev.kiln.model.KilnException;

/** A CacheFailure says that the AOT cache of one variant could not be made. The others can run without that variant. */
public final class CacheFailure extends KilnException {
    private static final long serialVersionUID = 1L;

    private final String variant;

    CacheFailure(String variant, String message, String remedy) {
        super(Exit.PROBLEM, message, remedy);
        this.variant = variant;
    }

    /** Returns the variant's name. */
    public String variant() {
        return variant;
    }
}
