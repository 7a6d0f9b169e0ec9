package dev.kiln.evidence;

import dev.kiln.model.LoadBin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads {@code load.csv} back, as far as it was written. */
public final class LoadReader {
    private static final int COLUMNS = 12;

    private LoadReader() {}

    /**
     * What could be read.
     *
     * @param gaps lines that could not be read, with file and line
     */
    public record Result(List<LoadBin> bins, List<String> gaps) {
        public Result {
            bins = List.copyOf(bins);
            gaps = List.copyOf(gaps);
        }
    }

    public static Result read(Path file) throws IOException {
        String text = Files.readString(file, StandardCharsets.UTF_8);
        List<LoadBin> bins = new ArrayList<>();
        List<String> gaps = new ArrayList<>();
        int line = 0;
        for (int at = 0; at < text.length(); ) {
            int end = text.indexOf('\n', at);
            line++;
            if (end < 0) {
                gaps.add(file + ":" + line + ": the last line is cut short; its bin is lost");
                break;
            }
            String row = text.substring(at, end);
            at = end + 1;
            if (line == 1) {
                if (!row.equals(LoadWriter.HEADER)) {
                    gaps.add(file + ":1: expected the header " + LoadWriter.HEADER);
                    break;
                }
                continue;
            }
            parse(row, file + ":" + line, bins, gaps);
        }
        return new Result(bins, gaps);
    }

    private static void parse(String row, String where, List<LoadBin> bins, List<String> gaps) {
        try {
            bins.add(bin(row.split(",", -1)));
        } catch (IllegalArgumentException e) {
            gaps.add(where + ": " + e.getMessage() + "; its bin is lost");
        }
    }

    /** @throws IllegalArgumentException that says what is no bin in a row of such cells */
    static LoadBin bin(String[] cells) {
        if (cells.length != COLUMNS) {
            throw new IllegalArgumentException(cells.length + " columns where " + COLUMNS + " were expected");
        }
        long[] n = new long[COLUMNS];
        for (int i = 1; i < COLUMNS; i++) {
            try {
                n[i] = Long.parseLong(cells[i]);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("'" + cells[i] + "' is not a number", e);
            }
        }
        LoadBin.Errors errors = new LoadBin.Errors(n[5], n[6], n[7], n[8], n[9]);
        return new LoadBin(cells[0], n[1], n[2], n[3], n[4], errors, n[10], n[11]);
    }
}
