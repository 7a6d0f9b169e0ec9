package dev.kiln.importer;

import dev.kiln.model.Provenance;

/** A load that another program recorded. */
interface LoadSource {
    /** In words, with the program's version where the files tell it. */
    String what();

    /** From its first request to its end, as far as the beginning and the end of the files tell. */
    Span span();

    /** Whether its times are ns since 1970, and not since a beginning of its own. */
    boolean dated();

    Provenance.Bins bins();

    /** Latencies are told as quantiles. */
    boolean quantised();

    /** Whether failures before the target was up are missing. */
    default boolean errorsFromFirstAnswer() {
        return false;
    }

    void read(LoadSink sink);
}
