package dev.kiln.importer.program;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Json;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.TimeText;
import dev.kiln.text.Show;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** A VegetaJson reads {@code vegeta encode}, whose default is a JSON object a line: begin, status or 0, latency (ns), ... */
public final class VegetaJson {
    public static final Format FORMAT = Format.loads(
            "vegeta's encode",
            head -> (head.dense().startsWith("{\"attack\":") || head.dense().startsWith("{\"code\":"))
                    && head.json("\"code\":", "\"timestamp\":", "\"latency\":"),
            VegetaJson::of);

    private static final String LINE = "a line of vegeta's JSON";

    private VegetaJson() {}

    public static Optional<LoadSource> of(Path file) {
        return RequestLog.ofLines("vegeta", file, true, 100_000_000, VegetaJson::parse);
    }

    private static void parse(Lines lines, Consumer<Request> requests, Consumer<String> gaps) {
        while (lines.nextRow(gaps)) {
            JsonNode result;
            try {
                result = Json.MAPPER.readTree(lines.text());
            } catch (JacksonException e) {
                throw lines.malformed("broken JSON", LINE);
            }
            requests.accept(request(lines, result));
        }
    }

    private static Request request(Lines lines, JsonNode result) {
        JsonNode code = result.path("code");
        JsonNode latency = result.path("latency");
        if (!code.isInt() || !latency.isIntegralNumber() || !latency.canConvertToLong() || latency.asLong() < 0) {
            throw lines.malformed("'" + Show.brief(result.toString(), 40) + "'", LINE);
        }
        return new Request(
                TimeText.iso(lines, result.path("timestamp").asString("")),
                latency.asLong(),
                VegetaCsv.outcome(code.asInt(), () -> result.path("error").asString("")),
                lines.place());
    }
}
