import dev.kiln.explain.budget.Budget.BudgetPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A Kind is a row of kinds.tsv: what is planted, how, and what must be told.
 *
 * @param arguments of the fixture, behind --work
 * @param flags of its JVM, behind the usual ones
 * @param options of kiln run
 * @param fromJdk the first feature release that has what is planted
 * @param expected ids of causes that are right, by preference; {@code unnamed:PART} where only the budget can tell; or
 *     {@code none}
 * @param besides ids of what is true as well, and must not be told first: a storm of deoptimisations starves C2
 * @param limit whether it is a limit that a rate below it does not reach: then nothing is held back
 */
record Kind(
        String name,
        List<String> arguments,
        List<String> flags,
        List<String> options,
        int fromJdk,
        List<String> expected,
        List<String> besides,
        boolean limit) {
    static final String HEALTHY = "none";

    /** Stands among the expected ids of a limit. */
    private static final String LIMIT = "rate:none";

    static final String UNNAMED = "unnamed:";

    private static final int COLUMNS = 6;
    private static final int OLDEST_JDK = 17;

    static List<Kind> read(Path table) throws IOException {
        List<Kind> kinds = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (String line : Files.readAllLines(table)) {
            if (line.startsWith("#") || line.isBlank()) {
                continue;
            }
            String[] cells = line.split("\t", -1);
            if (cells.length != COLUMNS || cells[1].isEmpty() || cells[5].isEmpty() || !names.add(cells[0])) {
                throw new IllegalArgumentException(table + ": '" + line + "', expected " + COLUMNS
                        + " cells with tabs between them, and a name of its own");
            }
            Map<Boolean, List<String>> ids = Arrays.stream(cells[5].split(","))
                    .collect(Collectors.partitioningBy(id -> id.startsWith("(") && id.endsWith(")")));
            List<String> expected =
                    ids.get(false).stream().filter(id -> !id.equals(LIMIT)).toList();
            List<String> besides = ids.get(true).stream()
                    .map(id -> id.substring(1, id.length() - 1))
                    .toList();
            requireKnown(table, line, expected);
            int jdk = cells[4].isEmpty() ? OLDEST_JDK : Integer.parseInt(cells[4]);
            kinds.add(new Kind(
                    cells[0],
                    words(cells[1]),
                    words(cells[2]),
                    words(cells[3]),
                    jdk,
                    expected,
                    besides,
                    ids.get(false).contains(LIMIT)));
        }
        return kinds;
    }

    /** A part that no budget has would never be the largest, and a healthy service expects nothing else. */
    private static void requireKnown(Path table, String line, List<String> expected) {
        List<String> parts = Arrays.stream(BudgetPart.values()).map(part -> UNNAMED + part.id()).toList();
        for (String one : expected) {
            if (one.startsWith(UNNAMED) && !parts.contains(one) || one.equals(HEALTHY) && expected.size() > 1) {
                throw new IllegalArgumentException(table + ": '" + line + "', expected ids of causes and of " + parts
                        + ", or " + HEALTHY + " alone");
            }
        }
    }

    private static List<String> words(String cell) {
        return Arrays.stream(cell.split(" ")).filter(word -> !word.isEmpty()).toList();
    }

    boolean healthy() {
        return expected.equals(List.of(HEALTHY));
    }

    /** Tells whether an id is wrong, wherever it is told. */
    boolean refuses(String id) {
        return !accepts(id) && !besides.contains(id);
    }

    /** Tells whether it has a rate of its own, and no closed loop. */
    boolean hasRate() {
        return options.contains("--rate");
    }

    /** Tells whether an id is one of those that are right. */
    boolean accepts(String id) {
        return expected.contains(id);
    }

    /** Tells whether it is right to name nothing, and to show where the time goes. */
    boolean mayBeUnnamed() {
        return expected.stream().anyMatch(one -> one.startsWith(UNNAMED));
    }
}
