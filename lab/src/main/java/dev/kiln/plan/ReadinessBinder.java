package dev.kiln.plan;

import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.plan.text.DurationText;
import dev.kiln.plan.text.Fields;
import dev.kiln.plan.text.Fields.Numbers;
import dev.kiln.plan.text.Names.UrlText;
import dev.kiln.plan.text.Node;
import dev.kiln.plan.text.Node.KeyedNode;
import dev.kiln.plan.text.Node.Mapping;
import dev.kiln.plan.text.Node.Scalar;
import dev.kiln.plan.text.Node.ScalarKind;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.plan.text.Section;
import dev.kiln.plan.text.Spot;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** A ReadinessBinder reads {@code readiness:}, and its one-text form of the command line. */
final class ReadinessBinder {
    static final String EXPECTED = "a map with one of http, port, log, and a timeout";
    static final String PORT = "a port from 1 to 65535, or ${port}";

    private ReadinessBinder() {}

    /** Reads what shows that a target is ready, within {@code limit} where the map has no timeout. */
    static Optional<ReadySign> bind(Node node, Duration limit, Problems problems) {
        return Fields.of(node, Section.READINESS, EXPECTED, problems).flatMap(fields -> bind(fields, limit, problems));
    }

    private static Optional<ReadySign> bind(Fields fields, Duration limit, Problems problems) {
        List<String> kinds =
                List.of("http", "port", "log").stream().filter(fields::has).toList();
        if (kinds.size() > 1) {
            problems.add(fields.at(kinds.get(1)), "found " + String.join(" and ", kinds) + ", expected one of them");
        }
        if (fields.has("status") && !fields.has("http")) {
            problems.add(fields.at("status"), "status", "found without http, expected the URL that answers with it");
        }
        Duration timeout = fields.parsed("timeout", DurationText.EXPECTED, DurationText::parse)
                .orElse(limit);
        int status = fields.integer("status", 100, 599).orElse(200L).intValue();
        return switch (kinds.isEmpty() ? "" : kinds.getFirst()) {
            case "http" ->
                fields.parsed("http", "a URL", UrlText::plain)
                        .map(url -> new ReadySign.HttpStatus(url, status, timeout));
            case "port" ->
                fields.scalar("port", PORT, EnumSet.of(ScalarKind.INTEGER, ScalarKind.TEXT), ReadinessBinder::port)
                        .map(port -> new ReadySign.TcpPort(port, timeout));
            case "log" ->
                fields.parsed("log", "a regular expression", ReadinessBinder::regex)
                        .map(regex -> new ReadySign.LogPattern(regex, timeout));
            default -> Optional.of(new ReadySign.FirstResponse(timeout));
        };
    }

    private static OptionalInt port(String text) {
        return text.equals("${port}")
                ? OptionalInt.empty()
                : OptionalInt.of((int) Numbers.integer(text, 1, 65535, PORT));
    }

    static String regex(String text) {
        try {
            return Pattern.compile(text).pattern();
        } catch (PatternSyntaxException e) {
            throw BadValue.of("'" + text + "'", "a regular expression (" + e.getDescription() + ")");
        }
    }

    /** Reads the value of a command's option: a URL, a port, or {@code log:REGEX}. */
    static ReadySign option(String name, String text, Duration limit, String remedy) {
        Problems problems = Problems.ofFlags(remedy);
        Spot at = new Spot.OfFlag(name);
        Optional<ReadySign> readiness = problems.attempt(at, name, () -> entry(text, at))
                .flatMap(entry -> bind(new Mapping(List.of(entry), at), limit, problems));
        problems.throwIfAny();
        return readiness.orElseThrow();
    }

    /** Returns what a file would have in place of a URL, a port, or {@code log:REGEX}. */
    static KeyedNode entry(String text, Spot at) {
        if (text.startsWith("log:")) {
            return entry("log", text.substring("log:".length()), at);
        }
        if (text.contains("://")) {
            return entry("http", text, at);
        }
        String port = text.startsWith("port:") ? text.substring("port:".length()) : text;
        if (!port.equals("${port}") && !port.matches("\\d+")) {
            throw BadValue.of("'" + text + "'", "a URL, port:PORT or log:REGEX");
        }
        return entry("port", port, at);
    }

    private static KeyedNode entry(String key, String text, Spot at) {
        return new KeyedNode(key, at, new Scalar(ScalarKind.ARGUMENT, text, at));
    }
}
