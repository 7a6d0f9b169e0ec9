package dev.kiln.plan;

import dev.kiln.model.GateSpec.Tolerance;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.text.CsvTable;
import dev.kiln.text.Decimal;
import dev.kiln.text.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Tolerances of a gate: YAML ({@code peak: -5}) or CSV ({@code metric,tolerance}). */
public final class ToleranceFile {
    private static final String REMEDY = "expected lines such as 'peak: -5' and 'p99: 10', in percent";

    private ToleranceFile() {}

    /** In the order of the file, each metric once. */
    public static List<Tolerance> read(Source source) {
        List<Tolerance> out = source.name().toLowerCase(Locale.ROOT).endsWith(".csv") ? table(source) : mapping(source);
        for (int i = 0; i < out.size(); i++) {
            String metric = out.get(i).metric();
            if (out.subList(0, i).stream().anyMatch(earlier -> earlier.metric().equalsIgnoreCase(metric))) {
                throw new KilnException(
                        Exit.USAGE, out.get(i).place() + ": metric '" + metric + "' is there twice", "remove one");
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
        for (Node.Entry entry : mapping.entries()) {
            int line = entry.keyAt().line();
            if (!(entry.value() instanceof Node.Scalar value) || value.kind() == Node.Kind.NOTHING) {
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
