package dev.kiln.report;

import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.stats.series.TimeToPeak;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What every rendering begins and ends with.
 *
 * @param footnotes numbered from 1: those that figures of the table refer to, then those of the whole experiment
 */
record Summary(List<SummaryRow> rows, String conclusion, List<String> footnotes) {

    static Summary of(ExperimentResult result) {
        List<SummaryRow> rows =
                result.variants().stream().map(new Rows(result.variants())::of).toList();
        Set<String> notes = new LinkedHashSet<>();
        rows.forEach(row -> row.cells().forEach(cell -> cell.note().ifPresent(notes::add)));
        boolean several =
                result.variants().stream().anyMatch(variant -> variant.valid().size() > 1);
        boolean alone = result.variants().stream()
                .anyMatch(variant -> variant.valid().size() == 1
                        && TimeCells.of(variant, TimeToPeak.HEADLINE).range().isPresent());
        if (several) {
            notes.add("Several runs: the median, and under it the lowest and the highest run; the reference peak is the"
                    + " geometric mean");
        }
        if (alone) {
            notes.add(
                    "One run: the two times under T90 are its interval, between which noise does not tell when the peak"
                            + " was reached");
        }
        notes.addAll(result.footnotes());
        return new Summary(
                rows,
                result.conclusion(),
                new ArrayList<>(notes).stream().map(Summary::sentence).toList());
    }

    /** The number of a cell's footnote. */
    Optional<Integer> number(Cell cell) {
        return cell.note().map(note -> footnotes.indexOf(sentence(note)) + 1);
    }

    private static String sentence(String note) {
        return note.isEmpty() || note.endsWith(".") ? note : note + ".";
    }
}
