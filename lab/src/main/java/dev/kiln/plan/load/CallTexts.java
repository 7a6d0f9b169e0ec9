package dev.kiln.plan.load;

import dev.kiln.model.experiment.LoadTemplate.TemplateCall;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.load.VariedText;
import dev.kiln.model.load.VariedText.Part;
import dev.kiln.plan.text.Names.UrlText;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.text.Nearest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * CallTexts checks the texts of calls. Beside Kiln's own placeholders they may have what differs from request to
 * request.
 *
 * @param feed of the load
 * @param anyColumn whether the feed could not be read, so that nobody knows its columns
 * @param taken values of earlier answers in a session
 * @param takenSomewhere values of all answers in it
 */
record CallTexts(Optional<FeedFile> feed, boolean anyColumn, Set<String> taken, Set<String> takenSomewhere) {
    private static final Pattern AUTHORITY = Pattern.compile("^[a-z]+://[^/?#]*");
    private static final List<String> DRAWN = List.of("random:1-100000", "uuid", "sequence", "text:1000");

    /** Returns the same checks for calls to a target in a session. */
    CallTexts in(SessionBinder sessions, String target) {
        return new CallTexts(feed, anyColumn, sessions.known(target), sessions.takenSomewhere());
    }

    /** Checks a URL, whose host and port are the same for all requests. */
    String url(String text) {
        UrlText.check(text, this::check);
        Matcher authority = AUTHORITY.matcher(text);
        if (authority.find()) {
            variables(authority.group()).stream().findFirst().ifPresent(name -> {
                throw BadValue.of(
                        "${" + name + "} in the host and port of '" + text + "'",
                        "it only behind them, in the path or the query");
            });
        }
        return text;
    }

    /** Checks the value of a header, which is one line. */
    String header(String text) {
        check(text);
        for (String name : variables(text)) {
            Optional<Integer> line = feed.map(read -> read.noHeaderFrom().get(name));
            if (line.isPresent()) {
                throw BadValue.of(
                        "${" + name + "}, which has a line break or control character on line " + line.get() + " of "
                                + feed.get().name(),
                        "values on one line");
            }
        }
        return text;
    }

    /** Checks a header by the token and field value of RFC 9110: all else would break up the request. */
    static String header(String name, String value) {
        if (!isHeader(name, value)) {
            throw BadValue.of("'" + name + ": " + value + "'", "a header on one line");
        }
        return name;
    }

    static boolean isHeader(String name, String value) {
        return name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+") && value.chars().noneMatch(c -> c < ' ' && c != '\t');
    }

    /** Returns {@code text} if every variable in it is known. */
    String check(String text) {
        for (String name : variables(text)) {
            Part part = VariedText.of("${" + name + "}").parts().getFirst();
            switch (part) {
                case Part.Random random -> {
                    if (random.least() > random.most()) {
                        throw badRandom(name);
                    }
                }
                case Part.Column column -> checkColumn(name);
                case Part.Uuid uuid -> {}
                case Part.Sequence sequence -> {}
                case Part.Literal letters -> {}
            }
        }
        return text;
    }

    private void checkColumn(String name) {
        if (columns().contains(name) || taken.contains(name)) {
            return;
        }
        if (name.startsWith("random:")) {
            throw badRandom(name);
        }
        if (name.startsWith("text:")) {
            throw BadValue.of("${" + name + "}", "a number of letters from 1 to 9999999, such as ${text:1000}");
        }
        if (takenSomewhere.contains(name)) {
            throw BadValue.of(
                    "${" + name + "}, which no earlier call to the same host and port takes",
                    "it after a call that does");
        }
        if (!anyColumn) {
            List<String> known = Stream.of(columns(), new TreeSet<>(taken), Placeholders.KNOWN, DRAWN)
                    .flatMap(Collection::stream)
                    .map(one -> "${" + one + "}")
                    .toList();
            throw new BadValue(Nearest.complaint("placeholder", "${" + name + "}", known) + " (write $${" + name
                    + "} to pass it on as it is)");
        }
    }

    private static BadValue badRandom(String name) {
        return BadValue.of("${" + name + "}", "two whole numbers, the lesser one first, such as ${random:1-100000}");
    }

    List<String> columns() {
        return feed.map(read -> read.feeding().table().columns()).orElse(List.of());
    }

    private static List<String> variables(String text) {
        return Placeholders.namesIn(text).stream()
                .filter(name -> !Placeholders.KNOWN.contains(name))
                .toList();
    }

    /** Returns what to say of a feed that no call uses, which is a slip; empty if one does. */
    Optional<String> unused(List<TemplateCall> calls) {
        if (feed.isEmpty() || calls.isEmpty() || calls.stream().anyMatch(call -> call.feeds(columns()))) {
            return Optional.empty();
        }
        List<String> names = new ArrayList<>();
        columns().forEach(name -> names.add("${" + name + "}"));
        return Optional.of("found " + feed.get().name() + ", which no call uses, expected a call with one of "
                + String.join(", ", names));
    }
}
