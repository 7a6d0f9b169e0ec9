package dev.kiln.importer.program;

import dev.kiln.files.InputFile;
import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Json;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.TimeText;
import dev.kiln.importer.program.Request.RequestOutcome;
import dev.kiln.model.KilnException;
import dev.kiln.text.Show;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;

/**
 * A GhzReport reads {@code ghz --format json}. Its list {@code details} has the end, the latency (ns), the status of gRPC and the
 * error of each call. A call that was late may stand behind later ones.
 */
public final class GhzReport {
    public static final Format FORMAT = Format.loads(
            "ghz's --format json", head -> head.json("\"options\":{", "\"load-schedule\":"), GhzReport::of);

    private static final String DETAILS = "details";

    private final Path file;
    private final Consumer<Request> requests;
    private long count;
    private long told;

    private GhzReport(Path file, Consumer<Request> requests) {
        this.file = file;
        this.requests = requests;
    }

    public static Optional<LoadSource> of(Path file) {
        return RequestLog.of(
                "ghz", file, true, 100_000_000, (path, requests, gaps) -> new GhzReport(path, requests).parse(gaps));
    }

    /** Reads one call after another: a million of them does not fit into the memory as a tree. */
    private void parse(Consumer<String> gaps) {
        try (InputStream in = InputFile.followed(file);
                JsonParser json = Json.MAPPER.createParser(in)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw wrong("no object", "a report of ghz");
            }
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                member(json);
            }
        } catch (IOException e) {
            throw Lines.unreadable(file.toString(), e);
        } catch (JacksonException e) {
            throw Json.broken(file, e);
        }
        if (count > told) {
            gaps.accept(file + ": ghz kept " + told + " of its " + count + " calls: the others are missing");
        }
    }

    private void member(JsonParser json) {
        String name = json.currentName();
        JsonToken value = json.nextToken();
        if (name.equals(DETAILS) && value == JsonToken.START_ARRAY) {
            while (json.nextToken() == JsonToken.START_OBJECT) {
                told++;
                requests.accept(call(json.readValueAsTree()));
            }
        } else if (name.equals("count") && value == JsonToken.VALUE_NUMBER_INT) {
            count = json.getLongValue();
        } else {
            json.skipChildren();
        }
    }

    private Request call(JsonNode call) {
        String stamp = call.path("timestamp").asString("");
        OptionalLong end = TimeText.nanos(stamp, "iso", ZoneOffset.UTC);
        if (end.isEmpty()) {
            throw wrong("'" + Show.brief(stamp, 30) + "'", "a time such as 2026-01-02T03:04:05.678Z");
        }
        JsonNode latency = call.path("latency");
        if (!latency.isIntegralNumber() || !latency.canConvertToLong() || latency.asLong() < 0) {
            throw wrong(Show.brief(latency.toString(), 30), "a latency in ns");
        }
        return new Request(
                end.getAsLong() - latency.asLong(),
                latency.asLong(),
                outcome(call.path("status").asString(""), call.path("error").asString("")),
                place());
    }

    /** Returns the outcome by the status of gRPC; the server says {@code Unavailable} too, but seldom. */
    private static RequestOutcome outcome(String status, String error) {
        return switch (status) {
            case "OK" -> RequestOutcome.OK;
            case "DeadlineExceeded" -> RequestOutcome.TIMEOUT;
            case "Unavailable" -> error.contains("connection refused") ? RequestOutcome.REFUSED : RequestOutcome.LOST;
            case "Canceled", "" -> RequestOutcome.LOST;
            default -> RequestOutcome.STATUS;
        };
    }

    private String place() {
        return file + ", call " + told;
    }

    private KilnException wrong(String found, String expected) {
        return KilnException.usage(
                place() + ": found " + found + ", expected " + expected, "restore the file as its program wrote it");
    }
}
