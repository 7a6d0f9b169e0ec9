package dev.kiln.importer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The kinds of file that can be imported, each told by what stands at its beginning. */
enum Format {
    HYPERFOIL_TOTALS("Hyperfoil's total.csv"),
    HYPERFOIL_SERIES("Hyperfoil's *.series.csv"),
    PHASE_TABLE("a CSV with phase,start_ms,end_ms,requests"),
    HYPERFOIL_JSON("Hyperfoil's all.json"),
    WRK("the output of wrk or wrk2"),
    H2LOAD_LOG("h2load's --log-file"),
    GATLING("Gatling's simulation.log"),
    OHA_CSV("oha's --output-format csv"),
    OHA_JSON("oha's --output-format json"),
    K6_CSV("k6's --out csv"),
    K6_JSON("k6's --out json"),
    K6_SUMMARY("k6's --summary-export"),
    JMH("JMH's -rf json"),
    KRUN("krun's results"),
    PIDSTAT("pidstat -u -w -t"),
    MPSTAT("mpstat -P ALL"),
    VMSTAT("vmstat -t"),
    FLIGHT("a flight recording"),
    METRICS("a lab's metrics.json"),
    MAPPED_CSV("any CSV, with --map");

    /** What a JSON document of totals begins with may be long: a test's checks, a machine's audit. */
    private static final int HEAD = 1 << 16;

    private static final Pattern H2LOAD = Pattern.compile("\\d{16}\t-?\\d{1,3}\t\\d+(\t.*)?");
    private static final Pattern WRK_HEAD = Pattern.compile("(?s).*^Running \\S+ test @ .*", Pattern.MULTILINE);

    private static final Set<Format> DOCUMENTS = EnumSet.of(HYPERFOIL_JSON, OHA_JSON, K6_SUMMARY, JMH, KRUN, METRICS);

    private final String words;

    Format(String words) {
        this.words = words;
    }

    /** For people. */
    String words() {
        return words;
    }

    /** Whether it is read by {@link Json#read}, which takes it packed with bzip2 too. */
    boolean mayBePacked() {
        return DOCUMENTS.contains(this);
    }

    static Optional<Format> of(Path file, Optional<CsvMapping> mapping) {
        byte[] head = new byte[HEAD];
        int length;
        try (InputStream in = Packed.open(file)) {
            length = in.readNBytes(head, 0, HEAD);
        } catch (IOException e) {
            throw Lines.unreadable(file.toString(), e);
        }
        if (GatlingLog.isHead(head, length)) {
            return Optional.of(GATLING);
        }
        String text = new String(head, 0, length, StandardCharsets.UTF_8);
        Optional<Format> told = of(text.startsWith("\ufeff") ? text.substring(1) : text, mapping);
        boolean document =
                told.isEmpty() && length == HEAD && text.stripLeading().startsWith("{");
        return document && Json.has(file, "wallclock_times") ? Optional.of(KRUN) : told;
    }

    /** @param head the first thousands of characters of a file */
    static Optional<Format> of(String head, Optional<CsvMapping> mapping) {
        String first = head.lines().findFirst().orElse("").strip();
        if (head.startsWith("FLR\0")) {
            return Optional.of(FLIGHT);
        }
        if (mapping.isPresent() && mapping.get().fits(first)) {
            return Optional.of(MAPPED_CSV);
        }
        char begin = head.isBlank() ? ' ' : head.strip().charAt(0);
        return begin == '{' || begin == '[' ? json(head) : table(first).or(() -> log(head, first));
    }

    private static Optional<Format> table(String first) {
        if (HyperfoilTotals.isHeader(first)) {
            return Optional.of(HYPERFOIL_TOTALS);
        }
        SeriesColumns columns = new SeriesColumns(first);
        if (columns.isSeries()) {
            return Optional.of(columns.has(SeriesColumns.Role.PHASE) ? PHASE_TABLE : HYPERFOIL_SERIES);
        }
        if (first.startsWith("metric_name,timestamp,metric_value")) {
            return Optional.of(K6_CSV);
        }
        return first.startsWith("request-start,") ? Optional.of(OHA_CSV) : Optional.empty();
    }

    private static Optional<Format> log(String head, String first) {
        if (H2LOAD.matcher(first).matches()) {
            return Optional.of(H2LOAD_LOG);
        }
        if (WRK_HEAD.matcher(head).matches()) {
            return Optional.of(WRK);
        }
        if (GatlingText.isHead(first)) {
            return Optional.of(GATLING);
        }
        if (head.lines().limit(30).anyMatch(PidstatReader::isHeader)) {
            return Optional.of(PIDSTAT);
        }
        if (head.lines().limit(30).anyMatch(Mpstat::isHeader)) {
            return Optional.of(MPSTAT);
        }
        return head.lines().limit(5).anyMatch(Vmstat::isHeader) ? Optional.of(VMSTAT) : Optional.empty();
    }

    private static Optional<Format> json(String head) {
        String dense = head.replaceAll("\\s", "");
        if (dense.contains("hyperfoil.io/run-schema")) {
            return Optional.of(HYPERFOIL_JSON);
        }
        if (dense.contains("\"jmhVersion\":")) {
            return Optional.of(JMH);
        }
        if (dense.contains("\"wallclock_times\":") || dense.contains("\"core_cycle_counts\":")) {
            return Optional.of(KRUN);
        }
        if (dense.contains("\"summary\":{") && dense.contains("\"requestsPerSec\":")) {
            return Optional.of(OHA_JSON);
        }
        if (dense.startsWith("{\"type\":\"Metric\"")
                || dense.startsWith("{\"metric\":")
                || dense.startsWith("{\"type\":\"Point\"")) {
            return Optional.of(K6_JSON);
        }
        if (dense.contains("\"metrics\":{") && dense.contains("\"http_req")) {
            return Optional.of(K6_SUMMARY);
        }
        boolean lab = dense.contains("\"results\":{") && dense.contains("\"timings\":[");
        return lab ? Optional.of(METRICS) : Optional.empty();
    }
}
