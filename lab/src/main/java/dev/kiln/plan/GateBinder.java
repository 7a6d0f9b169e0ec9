package dev.kiln.plan;

import dev.kiln.model.GateSpec;
import dev.kiln.model.GateSpec.Pair;
import dev.kiln.model.GateSpec.Tolerance;
import dev.kiln.model.KilnException;
import dev.kiln.model.Variant;
import dev.kiln.plan.Node.Entry;
import dev.kiln.plan.Node.Kind;
import dev.kiln.plan.Node.Mapping;
import dev.kiln.plan.Node.Scalar;
import dev.kiln.text.Decimal;
import dev.kiln.text.Nearest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code gate:}, which variants are held against which when all have run. */
public final class GateBinder {
    private final String file;
    private final List<String> variants;
    private final Problems problems;

    GateBinder(String file, List<Variant> variants, Problems problems) {
        this.file = file;
        this.variants = variants.stream().map(Variant::name).toList();
        this.problems = problems;
    }

    /** The gate of an experiment file that has been found good; empty if it has none. */
    public static Optional<GateSpec> read(Path file, List<Variant> variants) {
        Problems problems = new Problems(file.toString());
        Optional<GateSpec> gate = YamlTree.parse(ExperimentFile.textOf(file), problems)
                .flatMap(root -> Fields.of(root, Section.EXPERIMENT, "a map with target and load", problems))
                .flatMap(fields -> fields.node("gate"))
                .flatMap(node -> new GateBinder(file.toString(), variants, problems).bind(node));
        problems.throwIfAny();
        return gate;
    }

    Optional<GateSpec> bind(Node node) {
        return Fields.of(node, Section.GATE, "a map with tolerance and against", problems)
                .map(fields -> new GateSpec(fields.text("scenario").orElse(""), tolerances(fields), pairs(fields)));
    }

    private List<Tolerance> tolerances(Fields fields) {
        List<Tolerance> read = new ArrayList<>();
        for (Entry entry : entries(fields, "tolerance", "a map of metrics to percent, such as {peak: -5, p99: 2}")) {
            if (!(entry.value() instanceof Scalar value) || value.kind() == Kind.NOTHING) {
                problems.add(entry.keyAt(), "tolerance " + entry.key() + ": expected percent, such as -5");
                continue;
            }
            try {
                read.add(Decimal.tolerance(file, entry.keyAt().line(), entry.key(), value.text()));
            } catch (KilnException e) {
                problems.add(
                        entry.keyAt(),
                        "tolerance " + entry.key() + ": found '" + value.text() + "', expected percent, such as -5");
            }
        }
        return read;
    }

    private List<Pair> pairs(Fields fields) {
        List<Pair> pairs = new ArrayList<>();
        for (Entry entry : entries(fields, "against", "a map of variants to their baselines, such as {jdk21: jdk17}")) {
            String baseline = entry.value() instanceof Scalar scalar ? scalar.text() : "";
            known(entry.key(), entry.keyAt());
            known(baseline, entry.value().at());
            pairs.add(new Pair(entry.key(), baseline));
        }
        return pairs;
    }

    private void known(String variant, Node.Place at) {
        if (!variants.contains(variant)) {
            problems.add(at, "against: " + Nearest.complaint("variant", variant, variants));
        }
    }

    private List<Entry> entries(Fields fields, String key, String expected) {
        Optional<Node> node = fields.node(key);
        if (node.isPresent()
                && node.get() instanceof Mapping map
                && !map.entries().isEmpty()) {
            return map.entries();
        }
        problems.add(
                fields.at(key),
                "gate: "
                        + BadValue.of(
                                        node.map(found -> key + " with " + found.found())
                                                .orElse("no " + key),
                                        expected)
                                .text());
        return List.of();
    }
}
