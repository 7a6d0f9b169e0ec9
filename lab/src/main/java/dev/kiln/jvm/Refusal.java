package dev.kiln.jvm;

/**
 * Why a JVM could not be asked.
 *
 * @param why in words, for {@code notRecorded} and for people
 */
public record Refusal(Reason reason, String why) {
    public enum Reason {
        /** A JVM that is still starting, or a program in front of one: to be asked again. */
        NOT_READY,
        /** No HotSpot in the process; a launcher may still become one. */
        NOT_HOTSPOT,
        /** Attaching is switched off in it. */
        DISABLED,
        /** It answers only its own user and root. */
        NOT_PERMITTED,
        /** It did not answer in time: to be asked again. */
        NO_ANSWER,
        /** It answered that it would not do that, or could not. */
        FAILED,
        /** It answered what Kiln does not understand. */
        NOT_UNDERSTOOD,
        /** The process has ended. */
        DIED
    }

    /** Whether asking the same process again, later, is in vain. */
    public boolean isLasting() {
        return switch (reason) {
            case NOT_READY, NOT_HOTSPOT, NO_ANSWER, FAILED, NOT_UNDERSTOOD -> false;
            case DISABLED, NOT_PERMITTED, DIED -> true;
        };
    }

    <T> Reply<T> reply() {
        return new Reply.Refused<>(this);
    }
}
