package dev.kiln.plan.text;

import java.util.List;

/** A Node is a piece of the file, with its place. */
public sealed interface Node {
    Place at();

    /** Returns what was found, in words of an error message. */
    String found();

    record Place(int line, int column) {}

    enum Kind {
        TEXT,
        INTEGER,
        DECIMAL,
        BOOLEAN,
        NOTHING
    }

    /**
     * A Scalar is a single value.
     *
     * @param text as written, without quotes
     */
    record Scalar(Kind kind, String text, Place at) implements Node {
        @Override
        public String found() {
            return kind == Kind.NOTHING ? "nothing" : "'" + text + "'";
        }
    }

    record Sequence(List<Node> items, Place at) implements Node {
        public Sequence {
            items = List.copyOf(items);
        }

        @Override
        public String found() {
            return items.isEmpty() ? "an empty list" : "a list";
        }
    }

    record Mapping(List<Entry> entries, Place at) implements Node {
        public Mapping {
            entries = List.copyOf(entries);
        }

        @Override
        public String found() {
            return entries.isEmpty() ? "an empty map" : "a map";
        }
    }

    record Entry(String key, Place keyAt, Node value) {}
}
