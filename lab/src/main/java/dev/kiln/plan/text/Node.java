package dev.kiln.plan.text;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A Node is a piece of an experiment as it was written: in a file, or behind the flags of a command. */
public sealed interface Node {
    Spot at();

    /** Returns the items of a list; of anything else, that alone. */
    default List<Node> items() {
        return List.of(this);
    }

    /** Returns what was found, in words of an error message. */
    String found();

    enum ScalarKind {
        TEXT,
        INTEGER,
        DECIMAL,
        BOOLEAN,
        NOTHING,
        /** Behind a flag nothing tells a number from a text: it may be any of these but nothing. */
        ARGUMENT
    }

    /** A Scalar is a single value, with its text as written, without quotes. */
    record Scalar(ScalarKind kind, String text, Spot at) implements Node {
        /** Tells whether the value can be of one of these kinds. */
        public boolean is(ScalarKind first, ScalarKind... more) {
            return is(EnumSet.of(first, more));
        }

        boolean is(Set<ScalarKind> kinds) {
            return kind == ScalarKind.ARGUMENT || kinds.contains(kind);
        }

        @Override
        public String found() {
            return kind == ScalarKind.NOTHING ? "nothing" : "'" + text + "'";
        }
    }

    record NodeList(List<Node> items, Spot at) implements Node {
        public NodeList {
            items = List.copyOf(items);
        }

        @Override
        public String found() {
            return items.isEmpty() ? "an empty list" : "a list";
        }
    }

    record Mapping(List<KeyedNode> entries, Spot at) implements Node {
        public Mapping {
            entries = List.copyOf(entries);
        }

        @Override
        public String found() {
            return entries.isEmpty() ? "an empty map" : "a map";
        }
    }

    record KeyedNode(String key, Spot keyAt, Node value) {}
}
