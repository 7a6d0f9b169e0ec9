package dev.kiln.plan.load;

import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.load.LoadSpec.Step;
import dev.kiln.model.load.Take;
import dev.kiln.model.load.VariedText;
import dev.kiln.model.load.VariedText.Part;
import dev.kiln.plan.text.DurationText;
import dev.kiln.plan.text.Fields;
import dev.kiln.plan.text.Node;
import dev.kiln.plan.text.Node.KeyedNode;
import dev.kiln.plan.text.Node.Mapping;
import dev.kiln.plan.text.Node.NodeList;
import dev.kiln.plan.text.Node.Scalar;
import dev.kiln.plan.text.Node.ScalarKind;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.plan.text.Section;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A SessionBinder reads {@code session:} of a load, and what its calls say of it. */
final class SessionBinder {
    private static final String EXPECTED = "true, or a map with think and cookies";
    private static final String THINK = "a duration such as 500ms or 2s, or 0s for none";
    private static final String NAME =
            "a name of letters, digits, '.', '_' and '-', beginning with a letter, which is no"
                    + " placeholder of Kiln's own";

    private final Problems problems;
    private final boolean on;
    private final boolean cookies;
    private final Duration think;
    private final List<String> columns;
    /** The names of the values that calls so far read from answers, by target: replicas get the same calls. */
    private final Map<String, Set<String>> taken = new HashMap<>();

    private final Set<String> takenSomewhere;

    /**
     * Reads the session of a load.
     *
     * @param node that of the load; empty for no session
     * @param calls those of the load
     * @param columns of the feed
     */
    SessionBinder(Optional<Node> node, Optional<Node> calls, List<String> columns, Problems problems) {
        this.problems = problems;
        takenSomewhere = calls.stream()
                .flatMap(list -> entries(list, "take"))
                .flatMap(take -> take instanceof Mapping names ? names.entries().stream() : Stream.empty())
                .map(KeyedNode::key)
                .collect(Collectors.toSet());
        this.columns = columns;
        if (node.isPresent() && node.get() instanceof Scalar scalar && scalar.is(ScalarKind.BOOLEAN)) {
            on = Boolean.parseBoolean(scalar.text());
            cookies = true;
            think = Duration.ZERO;
            return;
        }
        Optional<Fields> map = node.flatMap(some -> Fields.of(some, Section.SESSION, EXPECTED, problems));
        // One that is wrong is meant all the same: its calls are not to be told that there is none.
        on = node.isPresent();
        cookies = map.flatMap(fields -> fields.bool("cookies")).orElse(true);
        think = map.flatMap(SessionBinder::think).orElse(Duration.ZERO);
    }

    /** Returns the values that the maps of a list have by this key; none for what is no list. */
    private static Stream<Node> entries(Node list, String key) {
        return list instanceof NodeList sequence
                ? sequence.items().stream()
                        .flatMap(item -> item instanceof Mapping map ? map.entries().stream() : Stream.empty())
                        .filter(entry -> entry.key().equals(key))
                        .map(KeyedNode::value)
                : Stream.empty();
    }

    private static Optional<Duration> think(Fields fields) {
        return fields.parsed("think", THINK, SessionBinder::think);
    }

    private static Duration think(String text) {
        return text.matches("0 *(?:ms|s|m|min|h)") ? Duration.ZERO : DurationText.parse(text);
    }

    /** Returns the names of the values that a call to this target can use. */
    Set<String> known(String target) {
        return Set.copyOf(taken.getOrDefault(target, Set.of()));
    }

    /** Returns the names of the values that any call reads from its answer. */
    Set<String> takenSomewhere() {
        return on ? takenSomewhere : Set.of();
    }

    /** Returns the step of a call of which the file gives only the URL; empty without a session. */
    Optional<Step> step() {
        return on ? Optional.of(new Step(cookies, think, Map.of())) : Optional.empty();
    }

    /** Returns the step of a call; empty without a session. Later calls can use the values that it reads. */
    Optional<Step> step(Fields call, String target) {
        if (!on) {
            for (String key : List.of("take", "think")) {
                if (call.has(key)) {
                    problems.add(call.at(key), key, "found it without a session, expected 'session: true' in the load");
                }
            }
            return Optional.empty();
        }
        if (call.has("weight")) {
            problems.add(
                    call.at("weight"),
                    "weight",
                    "found one in a session, expected none: a user sends the calls in their order");
        }
        Map<String, String> take = new LinkedHashMap<>();
        call.map("take", SessionBinder::where)
                .forEach((name, where) -> problems.attempt(call.at("take"), "take", () -> name(name))
                        .ifPresent(good -> take.put(good, where)));
        taken.computeIfAbsent(target, none -> new HashSet<>()).addAll(take.keySet());
        return Optional.of(new Step(cookies, think(call).orElse(think), take));
    }

    private static String where(String text) {
        try {
            Take.of(text);
            return text;
        } catch (IllegalArgumentException e) {
            throw BadValue.of("'" + text + "'", String.valueOf(e.getMessage()));
        }
    }

    private String name(String name) {
        boolean own = Placeholders.KNOWN.contains(name)
                || !(VariedText.of("${" + name + "}").parts().getFirst() instanceof Part.Column);
        if (own || !name.matches("[A-Za-z][A-Za-z0-9._-]{0,63}")) {
            throw BadValue.of("'" + name + "'", NAME);
        }
        if (columns.contains(name)) {
            throw BadValue.of("'" + name + "', which is a column of the feed too", "names that differ");
        }
        return name;
    }
}
