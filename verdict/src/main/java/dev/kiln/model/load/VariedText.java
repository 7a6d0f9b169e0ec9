package dev.kiln.model.load;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A VariedText is a text that differs from request to request. {@code ${id}} is a variable in it, {@code ${text:1000}}
 * a literal of so many letters, {@code $${id}} stands for the text {@code ${id}} itself. No two literals follow each
 * other.
 */
public record VariedText(List<Part> parts) {
    private static final Pattern IN_TEXT = Pattern.compile("(\\$?)\\$\\{([^{}]*)}");
    private static final Pattern IN_URL = Pattern.compile("(\\$?)\\$%7B(.*?)%7D");
    private static final Pattern LONG_TEXT = Pattern.compile("text:([1-9]\\d{0,6})");
    private static final Pattern RANDOM = Pattern.compile("random:(\\d{1,18})-(\\d{1,18})");

    /** A Part is a piece of the text: a literal, or a variable with a value for each request. */
    public sealed interface Part {
        record Literal(String text) implements Part {}

        /** A Column is a value of the feed's row, or one that the session took from an earlier answer. */
        record Column(String name) implements Part {}

        /** A Random is a whole number that is drawn; both bounds are possible values. */
        record Random(long least, long most) implements Part {}

        record Uuid() implements Part {}

        /** A Sequence is the number of the request, from 1. */
        record Sequence() implements Part {}
    }

    public VariedText {
        parts = List.copyOf(parts);
    }

    /** Makes a text without variables, even where it has {@code ${id}} in it. */
    public static VariedText literal(String text) {
        return new VariedText(text.isEmpty() ? List.of() : List.of(new Part.Literal(text)));
    }

    public static VariedText of(String text) {
        return parse(IN_TEXT, text);
    }

    /** Reads a part of a URL whose variables are written as {@link #inUrl} writes them. */
    public static VariedText ofUrl(String raw) {
        return parse(IN_URL, raw);
    }

    /** Returns the text as a URL can have it, without braces: {@code ${id}} becomes {@code $%7Bid%7D}. */
    public static String inUrl(String text) {
        return IN_TEXT.matcher(text)
                .replaceAll(match -> Matcher.quoteReplacement(
                        match.group(1) + "$%7B" + URLEncoder.encode(match.group(2), StandardCharsets.UTF_8) + "%7D"));
    }

    /** Returns the text from which {@link #inUrl} made this part of a URL. */
    public static String fromUrl(String raw) {
        return IN_URL.matcher(raw)
                .replaceAll(match -> Matcher.quoteReplacement(
                        match.group(1) + "${" + URLDecoder.decode(match.group(2), StandardCharsets.UTF_8) + "}"));
    }

    private static VariedText parse(Pattern variables, String text) {
        List<Part> parts = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        int done = 0;
        for (MatchResult match : variables.matcher(text).results().toList()) {
            literal.append(text, done, match.start());
            done = match.end();
            if (match.group(1).isEmpty()) {
                boolean encoded = variables.equals(IN_URL);
                String name = encoded ? URLDecoder.decode(match.group(2), StandardCharsets.UTF_8) : match.group(2);
                Matcher longText = LONG_TEXT.matcher(name);
                if (longText.matches()) {
                    literal.repeat('x', Integer.parseInt(longText.group(1)));
                } else {
                    end(literal, parts);
                    parts.add(variable(name));
                }
            } else {
                literal.append(match.group(), 1, match.group().length());
            }
        }
        literal.append(text, done, text.length());
        end(literal, parts);
        return new VariedText(parts);
    }

    private static void end(StringBuilder literal, List<Part> parts) {
        if (!literal.isEmpty()) {
            parts.add(new Part.Literal(literal.toString()));
            literal.setLength(0);
        }
    }

    /** Returns the variable of this name; a name that is none of Kiln's own is that of a column. */
    private static Part variable(String name) {
        Matcher random = RANDOM.matcher(name);
        if (random.matches()) {
            return new Part.Random(Long.parseLong(random.group(1)), Long.parseLong(random.group(2)));
        }
        return switch (name) {
            case "uuid" -> new Part.Uuid();
            case "sequence" -> new Part.Sequence();
            default -> new Part.Column(name);
        };
    }
}
