package dev.kiln.plan;

import dev.kiln.model.Modifier;
import dev.kiln.plan.Node.Entry;
import dev.kiln.plan.Node.Kind;
import dev.kiln.plan.Node.Mapping;
import dev.kiln.plan.Node.Scalar;
import dev.kiln.plan.Node.Sequence;
import java.util.List;
import java.util.Optional;

/** {@code with:}, a modifier or a list of them, each a name or a name with its value. */
final class ModifierBinder {
    private static final String EXPECTED = "modifiers such as [xbatch, cpus: 1]";

    private final Problems problems;

    ModifierBinder(Problems problems) {
        this.problems = problems;
    }

    List<Modifier> bind(Node with) {
        List<Node> items = with instanceof Sequence list ? list.items() : List.of(with);
        List<Modifier> modifiers = List.of();
        for (Node item : items) {
            modifiers = Modifiers.joined(modifiers, one(item));
        }
        return modifiers;
    }

    private List<Modifier> one(Node item) {
        if (item instanceof Scalar scalar && scalar.kind() == Kind.TEXT) {
            return problems.attempt(scalar.at(), "with", () -> Modifiers.parse(scalar.text())).stream()
                    .toList();
        }
        if (item instanceof Mapping map && !map.entries().isEmpty()) {
            return Fields.of(item, Section.MODIFIER, EXPECTED, problems).stream()
                    .flatMap(fields -> map.entries().stream())
                    .filter(entry -> Modifiers.NAMES.contains(entry.key()))
                    .flatMap(entry -> valued(entry).stream())
                    .toList();
        }
        problems.add(item.at(), "with: " + BadValue.of(item.found(), EXPECTED).text());
        return List.of();
    }

    private Optional<Modifier> valued(Entry entry) {
        if (entry.value() instanceof Scalar scalar) {
            Optional<String> value = scalar.kind() == Kind.NOTHING ? Optional.empty() : Optional.of(scalar.text());
            return problems.attempt(scalar.at(), entry.key(), () -> Modifiers.parse(entry.key(), value));
        }
        problems.add(
                entry.value().at(),
                entry.key() + ": "
                        + BadValue.of(entry.value().found(), "a value").text());
        return Optional.empty();
    }
}
