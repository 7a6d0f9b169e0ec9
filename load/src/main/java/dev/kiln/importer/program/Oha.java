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

/** Oha reads oha's results, whose times are in seconds. */
public final class Oha {
    /** {@code --output-format csv}: one successful request a line, since the test began. */
    public static final Format CSV = Format.loads(
            "oha's --output-format csv", head -> head.first(line -> line.startsWith("request-start,")), Oha::ofCsv);

    /** {@code --output-format json} writes totals and quantiles. */
    public static final Format JSON = Format.loads(
            "oha's --output-format json",
            head -> head.json("\"summary\":{", "\"requestsPerSec\":"),
            file -> Optional.of(ofJson(file)));

    private Oha() {}

    public static Optional<LoadSource> ofCsv(Path file) {
        return RequestLog.ofLines("oha", file, false, 100_000_000, Oha::csv);
    }

    private static void csv(Lines lines, Consumer<Request> requests, Consumer<String> gaps) {
        List<String> header = lines.next() ? lines.cells() : List.of();
        int start = header.indexOf("request-start");
        int duration = header.indexOf("request-duration");
        int status = header.indexOf("status");
        if (start < 0 || duration < 0 || status < 0) {
            throw lines.malformed("not the header of oha", "request-start,...,request-duration,bytes,status");
        }
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
        }
    }

    public static LoadSource ofJson(Path file) {
        JsonNode root = Json.read(file);
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
        for (Map.Entry<String, JsonNode> failure : failures.properties()) {
            long count = Json.count(file, failures, failure.getKey());
            // Requests under way when the test ended are no failures of the target.
            boolean deadline = failure.getKey().contains("deadline");
            boolean timeout = failure.getKey().contains("timeout");
            late += timeout ? count : 0;
            lost += deadline || timeout ? 0 : count;
        }
        JsonNode p = root.path("latencyPercentiles");
        return LoadSource.total(
                "oha",
                LoadSource.stem(String.valueOf(file.getFileName())),
                Math.max(1, nanos),
                ok,
                new LoadBin.Errors(0, lost, late, others, 0),
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
