package dev.kiln.plan;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.GateSpec;
import dev.kiln.model.experiment.GateSpec.Pair;
import dev.kiln.model.experiment.GateSpec.Tolerance;
import dev.kiln.model.experiment.Variant;
import dev.kiln.plan.text.Fields;
import dev.kiln.plan.text.Node;
import dev.kiln.plan.text.Node.KeyedNode;
import dev.kiln.plan.text.Node.Mapping;
import dev.kiln.plan.text.Node.Scalar;
import dev.kiln.plan.text.Node.ScalarKind;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.plan.text.Section;
import dev.kiln.plan.text.Spot;
import dev.kiln.plan.text.YamlTree;
import dev.kiln.text.CsvTable;
import dev.kiln.text.Decimal;
import dev.kiln.text.Nearest;
import dev.kiln.text.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A GateBinder reads {@code gate:}, which variants are compared with which when all have run. */
public final class GateBinder {
    private final String file;
    private final List<String> variants;
    private final Problems problems;

    GateBinder(String file, List<Variant> variants, Problems problems) {
        this.file = file;
        this.variants = variants.stream().map(Variant::name).toList();
        this.problems = problems;
    }

    Optional<GateSpec> bind(Node node) {
        return Fields.of(node, Section.GATE, "a map with tolerance and against", problems)
                .map(fields -> new GateSpec(fields.text("scenario").orElse(""), tolerances(fields), pairs(fields)));
    }

    private List<Tolerance> tolerances(Fields fields) {
        List<Tolerance> read = new ArrayList<>();
        for (KeyedNode entry : entries(fields, "tolerance", "a map of metrics to percent, such as {peak: 5, p99: 2}")) {
            if (!(entry.value() instanceof Scalar value) || value.kind() == ScalarKind.NOTHING) {
                problems.add(entry.keyAt(), "tolerance " + entry.key() + ": expected percent, such as 5");
                continue;
            }
            Optional<String> contrary = Decimal.contrary(entry.key(), value.text());
            if (contrary.isPresent()) {
                problems.add(entry.keyAt(), contrary.get(), "leave out the sign");
                continue;
            }
            try {
                read.add(Decimal.tolerance(file, entry.keyAt().line(), entry.key(), value.text()));
            } catch (KilnException e) {
                problems.add(
                        entry.keyAt(),
                        "tolerance " + entry.key() + ": found '" + value.text() + "', expected percent, such as 5");
            }
        }
        return read;
    }

    private List<Pair> pairs(Fields fields) {
        List<Pair> pairs = new ArrayList<>();
        for (KeyedNode entry :
                entries(fields, "against", "a map of variants to their baselines, such as {jdk21: jdk17}")) {
            String baseline = entry.value() instanceof Scalar scalar ? scalar.text() : "";
            known(entry.key(), entry.keyAt());
            known(baseline, entry.value().at());
            pairs.add(new Pair(entry.key(), baseline));
        }
        return pairs;
    }

    private void known(String variant, Spot at) {
        if (!variants.contains(variant)) {
            problems.add(at, "against", Nearest.complaint("variant", variant, variants));
        }
    }

    private List<KeyedNode> entries(Fields fields, String key, String expected) {
        Optional<Node> node = fields.node(key);
        if (node.isPresent()
                && node.get() instanceof Mapping map
                && !map.entries().isEmpty()) {
            return map.entries();
        }
        problems.add(
                fields.at(key),
                "gate",
                BadValue.of(node.map(found -> key + " with " + found.found()).orElse("no " + key), expected)
                        .text());
        return List.of();
    }

    /** A ToleranceFile has the tolerances of a gate: YAML ({@code peak: 5}) or CSV ({@code metric,tolerance}). */
    public static final class ToleranceFile {
        private static final String REMEDY = "expected lines such as 'peak: 5' and 'p99: 10', in percent";

        private ToleranceFile() {}

        /** Reads the tolerances in the order of the file. A metric that is given twice is an error. */
        public static List<Tolerance> read(Source source) {
            List<Tolerance> out =
                    source.name().toLowerCase(Locale.ROOT).endsWith(".csv") ? table(source) : mapping(source);
            for (int i = 0; i < out.size(); i++) {
                String metric = out.get(i).metric();
                if (out.subList(0, i).stream()
                        .anyMatch(earlier -> earlier.metric().equalsIgnoreCase(metric))) {
                    throw KilnException.usage(
                            out.get(i).place() + ": metric '" + metric + "' is given twice", "remove one");
                }
            }
            return out;
        }

        private static List<Tolerance> table(Source source) {
            CsvTable table = CsvTable.parse(source);
            int metric = table.column("metric");
            int tolerance = table.column("tolerance");
            return table.rows().stream()
                    .map(row -> Decimal.tolerance(
                            source.name(),
                            row.line(),
                            row.cells().get(metric),
                            row.cells().get(tolerance)))
                    .toList();
        }

        private static List<Tolerance> mapping(Source source) {
            if (source.text().isBlank()) {
                throw Source.wrong(source.name(), 1, "the file is empty", REMEDY);
            }
            Problems problems = new Problems(source.name(), REMEDY);
            Node root = YamlTree.parse(source.text(), problems).orElseThrow(problems::failure);
            problems.throwIfAny();
            if (!(root instanceof Node.Mapping mapping)) {
                throw Source.wrong(source.name(), 1, "no tolerances", REMEDY);
            }
            List<Tolerance> out = new ArrayList<>();
            for (Node.KeyedNode entry : mapping.entries()) {
                int line = entry.keyAt().line();
                if (!(entry.value() instanceof Node.Scalar value) || value.kind() == Node.ScalarKind.NOTHING) {
                    throw Source.wrong(
                            source.name(),
                            line,
                            entry.key() + ": found " + entry.value().found(),
                            REMEDY);
                }
                out.add(Decimal.tolerance(source.name(), line, entry.key(), value.text()));
            }
            return out;
        }
    }
}
