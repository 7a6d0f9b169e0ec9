package dev.kiln.plan;

import dev.kiln.model.DatabaseSpec;
import dev.kiln.model.LoadTemplate;
import dev.kiln.model.Placeholders;
import dev.kiln.model.Readiness;
import dev.kiln.model.Target;
import java.util.Optional;
import java.util.stream.Stream;

/** Which placeholders an experiment's parts use. */
final class PlaceholderUse {
    private PlaceholderUse() {}

    static boolean port(LoadTemplate load) {
        return load.calls().stream()
                .anyMatch(call -> Placeholders.namesIn(call.url()).contains(Placeholders.PORT));
    }

    /** A database value the target wants where the experiment has no database. */
    static Optional<String> databaseWithout(DatabaseSpec database, Target target) {
        if (!(database instanceof DatabaseSpec.None)) {
            return Optional.empty();
        }
        return of(target).filter(name -> name.startsWith("db.")).findFirst();
    }

    /** The names in all texts of a target. */
    static Stream<String> of(Target target) {
        return texts(target).flatMap(text -> Placeholders.namesIn(text).stream());
    }

    private static Stream<String> texts(Target target) {
        Stream<String> readiness =
                target.readiness() instanceof Readiness.HttpStatus http ? Stream.of(http.url()) : Stream.empty();
        return Stream.of(
                        target.command().stream(),
                        target.jvmFlags().stream(),
                        target.arguments().stream(),
                        target.environment().values().stream(),
                        readiness)
                .flatMap(texts -> texts);
    }
}
