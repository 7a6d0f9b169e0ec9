package dev.kiln.plan.load;

import dev.kiln.files.InputFile;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.LoadTemplate.Feeding;
import dev.kiln.model.load.FeedTable;
import dev.kiln.model.load.LoadSpec.Feed;
import dev.kiln.model.load.LoadSpec.Feed.Order;
import dev.kiln.model.load.LoadSpec.Variables;
import dev.kiln.plan.text.CommandPaths;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.text.CsvTable;
import dev.kiln.text.CsvTable.CsvRow;
import dev.kiln.text.JsonTable;
import dev.kiln.text.Source;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A FeedFile reads and checks a feed: CSV with a header, or JSON lines.
 *
 * @param noHeaderFrom columns with a value that no header can have, and the first line with one
 */
record FeedFile(Feeding feeding, TreeMap<String, Integer> noHeaderFrom) {
    static final String EXPECTED = "a CSV file with a header, or a .jsonl or .ndjson file with an object a line";

    static final long MOST_BYTES = 64L << 20;

    /** Returns the file's name as the experiment gives it. */
    String name() {
        return feeding.variables().feed().orElseThrow().name();
    }

    /** Reads a feed, or throws a {@link BadValue} that names the file's line, where there is one. */
    static FeedFile read(Path base, String name, Order order, long seed) {
        byte[] bytes = bytes(base, name, EXPECTED);
        try {
            FeedRows rows = new FeedRows(name);
            rows.read(Source.decode(name, bytes));
            FeedTable table = rows.table();
            Feed facts = new Feed(name, table.rows(), order, sha256(bytes));
            return new FeedFile(new Feeding(new Variables(seed, Optional.of(facts)), table), rows.noHeaderFrom);
        } catch (KilnException e) {
            throw new BadValue(e.getMessage() + (e.remedy().isEmpty() ? "" : "; " + e.remedy()));
        }
    }

    /** Returns all bytes of a file that is not too large. */
    static byte[] bytes(Path base, String name, String expected) {
        Path file = base.resolve(CommandPaths.path(name));
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw BadValue.of("'" + name + "', which is no file that can be read", expected);
        }
        try {
            long size = Files.size(file);
            if (size > MOST_BYTES) {
                throw BadValue.of(
                        String.format(Locale.ROOT, "'%s' with %.1f MB", name, size / 0x1p20),
                        "at most " + (MOST_BYTES >> 20) + " MB");
            }
            try (InputStream in = InputFile.followed(file)) {
                return InputFile.limited(file, in, (int) MOST_BYTES);
            }
        } catch (IOException e) {
            throw BadValue.of("'" + name + "', which cannot be read (" + e.getMessage() + ")", expected);
        }
    }

    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each JDK has it", e);
        }
    }

    static Order order(String text) {
        return switch (text) {
            case "sequential" -> Order.SEQUENTIAL;
            case "shuffled" -> Order.SHUFFLED;
            case "unique" -> Order.UNIQUE;
            default -> throw BadValue.of("'" + text + "'", "sequential, shuffled or unique");
        };
    }

    /** FeedRows collect row after row, so that a large file is never in memory as objects. */
    private static final class FeedRows {
        private final String file;
        private final TreeMap<String, Integer> noHeaderFrom = new TreeMap<>();
        private List<String> columns = List.of();
        private Optional<FeedTable.FeedTableBuilder> table = Optional.empty();

        FeedRows(String file) {
            this.file = file;
        }

        void read(Source source) {
            String lower = file.toLowerCase(Locale.ROOT);
            if (lower.endsWith(".jsonl") || lower.endsWith(".ndjson")) {
                JsonTable.eachLine(source, names -> header(1, names), this::row);
            } else {
                CsvTable.eachRow(source, row -> {
                    if (table.isEmpty()) {
                        header(row.line(), row.cells());
                    } else {
                        row(row);
                    }
                });
            }
        }

        private void header(int line, List<String> names) {
            for (String name : names) {
                if (name.isBlank() || name.contains("{") || name.contains("}")) {
                    throw Source.wrong(file, line, "column '" + name + "' has no name that ${...} can have", "");
                }
            }
            if (new HashSet<>(names).size() < names.size()) {
                throw Source.wrong(file, line, "a column is there twice: " + String.join(", ", names), "rename one");
            }
            columns = names;
            table = Optional.of(new FeedTable.FeedTableBuilder(names));
        }

        private void row(CsvRow row) {
            if (row.cells().size() != columns.size()) {
                int found = row.cells().size();
                throw Source.wrong(
                        file,
                        row.line(),
                        "found " + found + (found == 1 ? " value" : " values") + ", expected " + columns.size(),
                        "the columns are " + String.join(", ", columns));
            }
            for (int i = 0; i < columns.size(); i++) {
                if (row.cells().get(i).chars().anyMatch(c -> c < ' ' && c != '\t')) {
                    noHeaderFrom.putIfAbsent(columns.get(i), row.line());
                }
            }
            table.orElseThrow().add(row.cells());
        }

        FeedTable table() {
            if (table.filter(some -> some.rows() > 0).isEmpty()) {
                throw Source.wrong(file, 1, "found no row", "expected " + EXPECTED);
            }
            return table.get().build();
        }
    }
}
