package dev.kiln.importer.program;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Json;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.TimeText;
import dev.kiln.importer.program.Request.RequestOutcome;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.model.load.LoadBin;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** Oha reads oha's results, whose times are in seconds, and the table of hey, after which oha was made. */
public final class Oha {
    /** {@code --output-format csv}: one successful request a line, since the test began. */
    public static final Format CSV = Format.loads(
            "oha's --output-format csv", head -> head.first(line -> line.startsWith("request-start,")), Oha::ofCsv);

    /** {@code hey -o csv}: one request a line that was answered, a million at most. */
    public static final Format HEY_CSV = Format.loads(
            "hey's -o csv",
            head -> head.first(line -> line.startsWith("response-time,") && line.endsWith(",offset")),
            file -> ofCsv(file, "hey", List.of("offset", "response-time", "status-code")));

    /** {@code --output-format json} writes totals and quantiles. */
    public static final Format JSON = new Format(
            "oha's --output-format json",
            head -> head.json("\"summary\":{", "\"requestsPerSec\":"),
            new Format.Loads((file, options) ->
                    Json.all(file).stream().map(root -> ofJson(file, root)).toList()));

    private Oha() {}

    public static Optional<LoadSource> ofCsv(Path file) {
        return ofCsv(file, "oha", List.of("request-start", "request-duration", "status"));
    }

    /** @param columns of a request's beginning, its length and its status */
    private static Optional<LoadSource> ofCsv(Path file, String what, List<String> columns) {
        return RequestLog.ofLines(what, file, false, 100_000_000, (lines, requests, gaps) -> {
            long rows = csv(lines, columns, requests, gaps);
            gaps.accept(file + ": " + what + " writes answered requests alone: how many got no answer is not known");
            if (what.equals("hey") && rows == HeySummary.KEPT) {
                gaps.accept(file + ": hey keeps 1,000,000 requests: any that came later are missing");
            }
        });
    }

    /** Returns how many requests there were. */
    private static long csv(Lines lines, List<String> columns, Consumer<Request> requests, Consumer<String> gaps) {
        List<String> header = lines.next() ? lines.cells() : List.of();
        if (!header.containsAll(columns)) {
            throw lines.malformed("a header without them all", "the columns " + String.join(", ", columns));
        }
        int start = header.indexOf(columns.get(0));
        int duration = header.indexOf(columns.get(1));
        int status = header.indexOf(columns.get(2));
        long rows = 0;
        while (lines.nextRow(gaps)) {
            List<String> cells = lines.cells();
            if (cells.size() != header.size()) {
                throw lines.malformed(cells.size() + " columns", Integer.toString(header.size()));
            }
            requests.accept(new Request(
                    TimeText.nanos(lines, cells.get(start), 9),
                    TimeText.nanos(lines, cells.get(duration), 9),
                    cells.get(status).startsWith("2") ? RequestOutcome.OK : RequestOutcome.STATUS,
                    lines.place()));
            rows++;
        }
        return rows;
    }

    public static LoadSource ofJson(Path file) {
        return ofJson(file, Json.read(file));
    }

    private static LoadSource ofJson(Path file, JsonNode root) {
        JsonNode summary = root.path("summary");
        long nanos = nanos(Json.number(file, summary, "total"));
        JsonNode statuses = root.path("statusCodeDistribution");
        long ok = 0;
        long others = 0;
        for (Map.Entry<String, JsonNode> status : statuses.properties()) {
            long count = Json.count(file, statuses, status.getKey());
            ok += status.getKey().startsWith("2") ? count : 0;
            others += status.getKey().startsWith("2") ? 0 : count;
        }
        JsonNode failures = root.path("errorDistribution");
        long lost = 0;
        long late = 0;
        long refused = 0;
        for (Map.Entry<String, JsonNode> failure : failures.properties()) {
            long count = Json.count(file, failures, failure.getKey());
            // Requests under way when the test ended are no failures of the target.
            boolean deadline = failure.getKey().contains("deadline");
            boolean timeout = failure.getKey().contains("timeout");
            boolean noServer = failure.getKey().contains("onnection refused")
                    || failure.getKey().contains("actively refused");
            late += timeout ? count : 0;
            refused += noServer ? count : 0;
            lost += deadline || timeout || noServer ? 0 : count;
        }
        JsonNode p = root.path("latencyPercentiles");
        return LoadSource.total(
                "oha",
                LoadSource.stem(String.valueOf(file.getFileName())),
                Math.max(1, nanos),
                ok,
                new LoadBin.Errors(refused, lost, late, others, 0),
                p.path("p50").isNumber() && p.path("p99").isNumber()
                        ? Optional.of(new Quantiles(
                                ok + others,
                                nanos(Json.number(file, p, "p50")),
                                nanos(Json.number(file, p, "p99")),
                                nanos(Json.number(file, summary, "slowest"))))
                        : Optional.empty());
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * 1e9);
    }
}
