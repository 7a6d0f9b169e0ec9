package dev.kiln.importer.program;

import dev.kiln.importer.format.Format;
import dev.kiln.text.CsvLine;
import java.util.List;

/** A SeriesFile looks like a load series by its beginning: a table with a column {@code requests}, or one number a line. */
final class SeriesFile {
    /** A file that is a number alone is more likely a process's id. */
    private static final int LEAST_NUMBERS = 5;

    private SeriesFile() {}

    static boolean recognises(Format.Head head) {
        List<String> first = CsvLine.header(head.header());
        boolean table = first.size() > 1 && first.stream().anyMatch("requests"::equalsIgnoreCase);
        return head.dense().isEmpty() && (table || isNumbers(head.text()));
    }

    private static boolean isNumbers(String text) {
        List<String> lines = text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .limit(1000)
                .toList();
        if (lines.size() < LEAST_NUMBERS) {
            return false;
        }
        boolean named = lines.getFirst().equalsIgnoreCase("requests");
        long others = lines.stream().filter(line -> !isNumber(line)).count();
        // One line that is none is a mistake, which the reader names; a first one is a header of something else.
        return (named || isNumber(lines.getFirst())) && others <= (named ? 2 : 1);
    }

    static boolean isNumber(String line) {
        return line.matches("\\d{1,12}(\\.\\d{0,9})?");
    }
}
