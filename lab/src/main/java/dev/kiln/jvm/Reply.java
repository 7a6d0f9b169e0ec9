package dev.kiln.jvm;

import java.util.Optional;
import java.util.function.Function;

/** What came of asking a JVM something. That it does not answer is no error: it may be starved, closed or gone. */
public sealed interface Reply<T> {
    record Told<T>(T value) implements Reply<T> {}

    record Refused<T>(Refusal why) implements Reply<T> {}

    /** What was told; empty for a refusal. */
    default Optional<T> told() {
        return switch (this) {
            case Told<T> told -> Optional.of(told.value());
            case Refused<T> refused -> Optional.empty();
        };
    }

    /** Why nothing was told. */
    default Optional<Refusal> refusal() {
        return switch (this) {
            case Told<T> told -> Optional.empty();
            case Refused<T> refused -> Optional.of(refused.why());
        };
    }

    /** Makes something else of what was told. */
    default <U> Reply<U> then(Function<? super T, ? extends Reply<U>> next) {
        return switch (this) {
            case Told<T> told -> next.apply(told.value());
            case Refused<T> refused -> new Refused<>(refused.why());
        };
    }
}
