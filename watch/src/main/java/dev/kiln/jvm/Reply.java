package dev.kiln.jvm;

import java.util.Optional;
import java.util.function.Function;

/** A Reply is the result of a question to a JVM. A missing answer is no error: the JVM may be starved, closed or gone. */
public sealed interface Reply<T> {
    record ToldReply<T>(T value) implements Reply<T> {}

    record Refused<T>(Refusal why) implements Reply<T> {}

    /** Returns the answer; empty for a refusal. */
    default Optional<T> told() {
        return switch (this) {
            case ToldReply<T> told -> Optional.of(told.value());
            case Refused<T> refused -> Optional.empty();
        };
    }

    /** Returns the refusal; empty for an answer. */
    default Optional<Refusal> refusal() {
        return switch (this) {
            case ToldReply<T> told -> Optional.empty();
            case Refused<T> refused -> Optional.of(refused.why());
        };
    }

    /** Turns an answer into another reply. */
    default <U> Reply<U> then(Function<? super T, ? extends Reply<U>> next) {
        return switch (this) {
            case ToldReply<T> told -> next.apply(told.value());
            case Refused<T> refused -> new Refused<>(refused.why());
        };
    }

    /** A Refusal says why a JVM could not be asked, in words for {@code notRecorded} and for people. */
    record Refusal(RefusalReason reason, String why) {
        public enum RefusalReason {
            /** A JVM that is still starting, or a program that will start one: ask again. */
            NOT_READY,
            /** No HotSpot in the process. A launcher may still become one. */
            NOT_HOTSPOT,
            /** Attaching is switched off in it. */
            DISABLED,
            /** It answers only its own user and root. */
            NOT_PERMITTED,
            /** It did not answer in time: ask again. */
            NO_ANSWER,
            /** It answered that it could not do that. */
            FAILED,
            /** Kiln does not understand its answer. */
            NOT_UNDERSTOOD,
            /** The process has ended. */
            DIED
        }

        /** Tells whether it is useless to ask the same process again later. */
        public boolean isLasting() {
            return switch (reason) {
                case NOT_READY, NOT_HOTSPOT, NO_ANSWER, FAILED, NOT_UNDERSTOOD -> false;
                case DISABLED, NOT_PERMITTED, DIED -> true;
            };
        }

        /** Returns it as the reply to any question. */
        public <T> Reply<T> reply() {
            return new Reply.Refused<>(this);
        }
    }
}
