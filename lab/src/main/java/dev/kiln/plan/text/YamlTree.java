package dev.kiln.plan.text;

import dev.kiln.plan.text.Node.KeyedNode;
import dev.kiln.plan.text.Node.Mapping;
import dev.kiln.plan.text.Node.NodeList;
import dev.kiln.plan.text.Node.Scalar;
import dev.kiln.plan.text.Node.ScalarKind;
import dev.kiln.plan.text.Spot.OfFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/** YamlTree reads YAML into a tree that remembers lines, and does not stop at the first error. */
public final class YamlTree {
    private static final Pattern MARK = Pattern.compile("\\s+in reader, line (\\d+), column (\\d+):");

    private final YAMLParser parser;
    private final Problems problems;

    private YamlTree(YAMLParser parser, Problems problems) {
        this.parser = parser;
        this.problems = problems;
    }

    /** Returns the root of the tree, or empty with the reason noted. */
    public static Optional<Node> parse(String text, Problems problems) {
        try (JsonParser parser = new YAMLFactory().createParser(ObjectReadContext.empty(), text)) {
            return parsed((YAMLParser) parser, problems);
        }
    }

    private static Optional<Node> parsed(YAMLParser parser, Problems problems) {
        try {
            return new YamlTree(parser, problems).document();
        } catch (JacksonException e) {
            // A text that nests too deeply has no place of its own.
            TokenStreamLocation at = e.getLocation() == null ? parser.currentLocation() : e.getLocation();
            problems.add(placeOf(e, at), "not YAML: " + firstComplaint(e));
            return Optional.empty();
        }
    }

    private Optional<Node> document() {
        JsonToken first = parser.nextToken();
        if (first == null) {
            problems.add(new OfFile(1, 1), "the file is empty, expected an experiment");
            return Optional.empty();
        }
        Node root = node(first);
        if (parser.nextToken() != null) {
            problems.add(here(), "found a second YAML document, expected one experiment per file");
        }
        return Optional.of(root);
    }

    private Node node(@Nullable JsonToken token) {
        OfFile at = here();
        if (token == null) {
            throw new IllegalStateException("the YAML parser ended in the middle of a value");
        }
        return switch (token) {
            case START_OBJECT -> mapping(at);
            case START_ARRAY -> sequence(at);
            case VALUE_NUMBER_INT -> scalar(ScalarKind.INTEGER, at);
            case VALUE_NUMBER_FLOAT -> scalar(ScalarKind.DECIMAL, at);
            case VALUE_TRUE, VALUE_FALSE -> scalar(ScalarKind.BOOLEAN, at);
            case VALUE_NULL -> scalar(ScalarKind.NOTHING, at);
            default -> scalar(ScalarKind.TEXT, at);
        };
    }

    private Scalar scalar(ScalarKind kind, OfFile at) {
        if (parser.isCurrentAlias()) {
            problems.add(at, "found the alias '*" + parser.getString() + "'; variants share settings with 'extends'");
        }
        if (parser.getString().indexOf('\0') >= 0) {
            problems.add(at, "found a zero character, expected text");
            return new Scalar(kind, parser.getString().replace('\0', ' '), at);
        }
        // "~" is one of YAML's ways to write null, and arrives as text.
        boolean nothing = kind == ScalarKind.TEXT && parser.getString().equals("~");
        return new Scalar(nothing ? ScalarKind.NOTHING : kind, parser.getString(), at);
    }

    private NodeList sequence(OfFile at) {
        List<Node> items = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            items.add(node(token));
        }
        return new NodeList(items, at);
    }

    private Mapping mapping(OfFile at) {
        List<KeyedNode> entries = new ArrayList<>();
        Map<String, OfFile> seen = new HashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            OfFile keyAt = here();
            Node value = node(parser.nextToken());
            OfFile earlier = seen.putIfAbsent(key, keyAt);
            if (earlier == null) {
                entries.add(new KeyedNode(key, keyAt, value));
            } else {
                problems.add(keyAt, "key '" + key + "' is given twice; the first is on line " + earlier.line());
            }
        }
        return new Mapping(entries, at);
    }

    private OfFile here() {
        return place(parser.currentTokenLocation());
    }

    private static OfFile place(TokenStreamLocation location) {
        return new OfFile(Math.max(1, location.getLineNr()), Math.max(1, location.getColumnNr()));
    }

    /** Returns the place of a complaint: the last mark in its message, as the parser's own position lags behind. */
    private static OfFile placeOf(JacksonException e, TokenStreamLocation at) {
        Matcher mark = MARK.matcher(e.getOriginalMessage());
        OfFile place = place(at);
        while (mark.find()) {
            place = new OfFile(Integer.parseInt(mark.group(1)), Integer.parseInt(mark.group(2)));
        }
        return place;
    }

    /** Returns the line before the last mark, which says what is wrong; those after it only repeat the file. */
    private static String firstComplaint(JacksonException e) {
        List<String> lines = e.getOriginalMessage().lines().toList();
        String complaint = lines.getFirst();
        for (int i = 1; i < lines.size(); i++) {
            if (MARK.matcher(lines.get(i)).matches()) {
                complaint = lines.get(i - 1);
            }
        }
        return complaint.strip();
    }
}
