package dev.kiln.plan.text;

import dev.kiln.plan.text.Node.KeyedNode;
import dev.kiln.plan.text.Node.Mapping;
import dev.kiln.plan.text.Node.NodeList;
import dev.kiln.plan.text.Node.Scalar;
import dev.kiln.plan.text.Node.ScalarKind;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.text.Nearest;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** A Fields is the keys of one map, of a file or of the flags of a command. What is wrong is noted as it is read, and then counts as absent. */
public final class Fields {
    private final Mapping map;
    private final Problems problems;

    private Fields(Mapping map, Problems problems) {
        this.map = map;
        this.problems = problems;
    }

    /** Returns the fields of a map; keys that its section does not know are noted. */
    public static Optional<Fields> of(Node node, Section section, String expected, Problems problems) {
        if (!(node instanceof Mapping map)) {
            problems.expected(node, "", expected);
            return Optional.empty();
        }
        for (KeyedNode entry : map.entries()) {
            if (!section.keys().contains(entry.key())) {
                problems.add(entry.keyAt(), Nearest.complaint("key", entry.key(), section.keys()));
            }
        }
        return Optional.of(new Fields(map, problems));
    }

    /** Returns where the map stands. */
    public Spot at() {
        return map.at();
    }

    /** Returns where {@code key} stands, or that of the map if the key is not there. */
    public Spot at(String key) {
        return entry(key).map(KeyedNode::keyAt).orElse(map.at());
    }

    public boolean has(String key) {
        return entry(key).isPresent();
    }

    /** Notes that {@code key} is not there, if it is not. */
    public void require(String key, String subject, String expected) {
        if (!has(key)) {
            problems.add(at(), subject, "found no " + key + ", expected " + expected);
        }
    }

    public Optional<Node> node(String key) {
        return entry(key).map(KeyedNode::value);
    }

    private Optional<KeyedNode> entry(String key) {
        return map.entries().stream().filter(entry -> entry.key().equals(key)).findFirst();
    }

    /** Returns what {@code parse} makes of a text. */
    public <T> Optional<T> parsed(String key, String expected, Function<String, T> parse) {
        return scalar(key, expected, EnumSet.of(ScalarKind.TEXT), parse);
    }

    /** Returns a text, in which every placeholder is known. */
    public Optional<String> text(String key) {
        return parsed(key, "text", Names::checkPlaceholders);
    }

    public Optional<Long> integer(String key, long min, long max) {
        String expected = "a whole number from " + min + " to " + max;
        return scalar(key, expected, EnumSet.of(ScalarKind.INTEGER), text -> Numbers.integer(text, min, max, expected));
    }

    public Optional<Boolean> bool(String key) {
        return scalar(key, "true or false", EnumSet.of(ScalarKind.BOOLEAN), Boolean::valueOf);
    }

    /** Returns a number above zero. */
    public Optional<Double> positive(String key) {
        return scalar(key, Numbers.POSITIVE, EnumSet.of(ScalarKind.INTEGER, ScalarKind.DECIMAL), Numbers::positive);
    }

    /** Returns what {@code parse} makes of a scalar of one of these kinds. */
    public <T> Optional<T> scalar(String key, String expected, Set<ScalarKind> kinds, Function<String, T> parse) {
        return node(key).flatMap(node -> {
            if (node instanceof Scalar scalar && scalar.is(kinds)) {
                return problems.attempt(scalar.at(), key, () -> parse.apply(scalar.text()));
            }
            problems.expected(node, key, expected);
            return Optional.empty();
        });
    }

    /** Returns a list of words, or the words of one text that is split as a shell would. */
    public Optional<List<String>> words(String key) {
        return words(key, Names::checkPlaceholders);
    }

    /** Returns such words after a check of each, or of the one text. */
    public Optional<List<String>> words(String key, UnaryOperator<String> check) {
        return node(key).flatMap(node -> {
            if (node instanceof NodeList list) {
                return Optional.of(list.items().stream()
                        .flatMap(item -> word(key, item, check).stream())
                        .toList());
            }
            return scalar(
                    key,
                    "a list of words, or one text with spaces between them",
                    EnumSet.of(ScalarKind.TEXT),
                    text -> ShellWords.split(check.apply(text)));
        });
    }

    /** Returns names with values, in the file's order. */
    public Map<String, String> map(String key) {
        return map(key, Names::checkPlaceholders);
    }

    /** Returns such names with values, after a check of each value. */
    public Map<String, String> map(String key, UnaryOperator<String> check) {
        Map<String, String> words = new LinkedHashMap<>();
        node(key).ifPresent(node -> {
            if (node instanceof Mapping inner) {
                inner.entries()
                        .forEach(entry -> word(key + " " + entry.key(), entry.value(), check)
                                .ifPresent(value -> words.put(entry.key(), value)));
            } else {
                problems.expected(node, key, "a map of names to values");
            }
        });
        return words;
    }

    /** Returns one word. Numbers and booleans are words too, just as they are written. */
    private Optional<String> word(String key, Node node, UnaryOperator<String> check) {
        if (node instanceof Scalar scalar && scalar.kind() != ScalarKind.NOTHING) {
            return problems.attempt(scalar.at(), key, () -> check.apply(scalar.text()));
        }
        problems.expected(node, key, "text");
        return Optional.empty();
    }

    /** Numbers reads numbers in text, within their bounds. */
    public static final class Numbers {
        static final String POSITIVE = "a number above zero";

        private Numbers() {}

        /** Reads a whole number, which is expected in these words. */
        public static long integer(String text, long min, long max, String expected) {
            try {
                long value = Long.parseLong(text);
                if (value >= min && value <= max) {
                    return value;
                }
            } catch (NumberFormatException e) {
                // Falls through to the one message: too long for a long is out of bounds as well.
            }
            throw BadValue.of("'" + text + "'", expected);
        }

        /** Reads a number above zero. */
        public static double positive(String text) {
            try {
                double value = Double.parseDouble(text);
                if (value > 0 && value <= 1e9) {
                    return value;
                }
            } catch (NumberFormatException e) {
                // Falls through to the one message.
            }
            throw BadValue.of("'" + text + "'", POSITIVE);
        }
    }
}
