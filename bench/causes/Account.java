import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the fixture knows of itself over the last ten seconds of the first load, in ms a request.
 *
 * @param parts by its own kinds, such as monitor; those without time are left out
 */
record Account(double requests, Map<String, Double> parts) {
    /** Waits of a thread that has a request, and does not run. */
    private static final List<String> BLOCKED =
            List.of("monitor", "park", "queue", "sleep", "socket", "name_lookup", "file", "class_init", "log");

    /** Seconds since the first request. The load ends at 25 s, and its last second is not whole. */
    private static final int FROM_SECOND = 14;

    private static final int TO_SECOND = 24;

    static Optional<Account> read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        List<String> lines = Files.readAllLines(file);
        String[] names = lines.getFirst().split(",");
        List<long[]> rows = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",");
            if (cells.length == names.length) {
                rows.add(Arrays.stream(cells).mapToLong(Long::parseLong).toArray());
            }
        }
        // The first row with a request, and with it the load: ready is told before.
        int first = 0;
        while (first < rows.size() && rows.get(first)[1] <= 1) {
            first++;
        }
        if (first + FROM_SECOND >= rows.size()) {
            return Optional.empty();
        }
        long[] from = rows.get(first + FROM_SECOND);
        long[] to = rows.get(Math.min(rows.size() - 1, first + TO_SECOND));
        double requests = to[1] - from[1];
        Map<String, Double> parts = new TreeMap<>();
        for (int i = 2; i < names.length; i++) {
            if (to[i] > from[i] && requests > 0) {
                parts.put(names[i], (to[i] - from[i]) / 1e6 / requests);
            }
        }
        return requests > 0 ? Optional.of(new Account(requests, parts)) : Optional.empty();
    }

    double response() {
        return parts.getOrDefault("response", 0.0);
    }

    double cpu() {
        return parts.getOrDefault("cpu", 0.0);
    }

    double blocked() {
        return BLOCKED.stream().mapToDouble(kind -> parts.getOrDefault(kind, 0.0)).sum();
    }
}
