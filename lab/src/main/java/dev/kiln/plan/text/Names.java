package dev.kiln.plan.text;

import dev.kiln.model.experiment.Experiment.DatabaseSpec;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.text.Nearest;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Names checks names and placeholders in the texts of an experiment. */
public final class Names {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private Names() {}

    /** Returns a name that may become a folder and a CSV field, as those of experiments, variants and phases do. */
    public static String check(String name) {
        if (!NAME.matcher(name).matches()) {
            throw BadValue.of(
                    "'" + name + "'",
                    "a name of letters, digits, '.', '_' and '-', beginning with a letter or digit, 64 at most");
        }
        return name;
    }

    /** Returns {@code text} if every placeholder in it is known. */
    public static String checkPlaceholders(String text) {
        return checkPlaceholders(text, Placeholders.KNOWN);
    }

    /** Returns {@code text} if it has no placeholders but these. */
    public static String checkPlaceholders(String text, List<String> known) {
        for (String name : Placeholders.namesIn(text)) {
            if (!known.contains(name)) {
                List<String> shown = known.stream().map(one -> "${" + one + "}").toList();
                throw new BadValue(Nearest.complaint("placeholder", "${" + name + "}", shown) + " (write $${" + name
                        + "} to pass it on as it is)");
            }
        }
        return text;
    }

    /** PlaceholderUse finds the placeholders that an experiment's parts use. */
    public static final class PlaceholderUse {
        private PlaceholderUse() {}

        /** Tells whether a URL of the load has the port in it. */
        public static boolean port(LoadTemplate load) {
            return load.calls().stream()
                    .anyMatch(call -> Placeholders.namesIn(call.url()).contains(Placeholders.PORT));
        }

        /** Returns a placeholder of the target that needs a database where the experiment has none; else empty. */
        public static Optional<String> databaseWithout(DatabaseSpec database, Target target) {
            if (!(database instanceof DatabaseSpec.None)) {
                return Optional.empty();
            }
            Stream<String> hooks = target.hooks().stream()
                    .flatMap(hook -> hook.command().stream())
                    .flatMap(word -> Placeholders.namesIn(word).stream());
            return Stream.concat(of(target), hooks)
                    .filter(name -> name.startsWith("db."))
                    .findFirst();
        }

        /** Returns the names in all texts of a target. */
        public static Stream<String> of(Target target) {
            return texts(target).flatMap(text -> Placeholders.namesIn(text).stream());
        }

        private static Stream<String> texts(Target target) {
            Stream<String> readiness =
                    target.readiness() instanceof ReadySign.HttpStatus http ? Stream.of(http.url()) : Stream.empty();
            return Stream.of(
                            target.command().stream(),
                            target.jvmFlags().stream(),
                            target.arguments().stream(),
                            target.environment().values().stream(),
                            readiness)
                    .flatMap(texts -> texts);
        }
    }

    /** UrlText checks a URL that may still have placeholders in it. */
    public static final class UrlText {
        private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{[^{}]*}");

        private static final int MOST_PORT = 65_535;

        private UrlText() {}

        /** Checks the URL of a request that Kiln sends without TLS. */
        public static String plain(String text) {
            if (text.startsWith("https:")) {
                throw BadValue.of("'" + text + "'", "http:// (only the load goes over TLS)");
            }
            return check(text);
        }

        static String check(String text) {
            return check(text, Names::checkPlaceholders);
        }

        /** Checks a URL, and the placeholders in it by this check. */
        public static String check(String text, Consumer<String> placeholders) {
            placeholders.accept(text);
            try {
                // Any value will do in a placeholder's place, as long as it fits a port.
                URI uri = new URI(PLACEHOLDER.matcher(text).replaceAll("1"));
                if (!List.of("http", "https").contains(String.valueOf(uri.getScheme())) || uri.getHost() == null) {
                    throw BadValue.of("'" + text + "'", "a URL such as http://localhost:8080/path");
                }
                // Java gives -1 for none.
                if (uri.getPort() == 0 || uri.getPort() > MOST_PORT) {
                    throw BadValue.of("port " + uri.getPort() + " in '" + text + "'", "a port from 1 to " + MOST_PORT);
                }
                return text;
            } catch (URISyntaxException e) {
                throw BadValue.of("'" + text + "'", "a URL (" + e.getReason() + ")");
            }
        }
    }
}
