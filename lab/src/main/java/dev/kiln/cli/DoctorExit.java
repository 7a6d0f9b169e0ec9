package dev.kiln.cli;

import dev.kiln.explain.LiveDiagnosis.LiveState;

/** Exit codes of {@code kiln doctor}, so that scripts can tell what it found: docs/reference/exit-codes.md. */
final class DoctorExit {
    static final int NOT_WARM = 6;
    static final int STARVED = 7;
    static final int CANNOT_TELL = 8;

    private DoctorExit() {}

    static int of(LiveState state) {
        return switch (state) {
            case WARM -> 0;
            case WARMING -> NOT_WARM;
            case STARVED -> STARVED;
            case IDLE, UNKNOWN -> CANNOT_TELL;
        };
    }
}
