package dev.kiln.report;

import dev.kiln.explain.PastMetric;
import dev.kiln.explain.PastRun;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads {@code result.json} back as runs of the past. */
public final class ResultReader {
    private static final JsonMapper MAPPER = new JsonMapper();

    private final JsonNode result;
    private final String folder;
    private final Launches launches;
    private final SortedMap<String, String> labels;

    private ResultReader(JsonNode result, String folder, Launches launches, SortedMap<String, String> labels) {
        this.result = result;
        this.folder = folder;
        this.launches = launches;
        this.labels = labels;
    }

    /** When a run was launched, in ms since 1970; empty where its own record is gone. */
    public interface Launches {
        OptionalLong of(String variant, int run);
    }

    /**
     * All runs of a result.
     *
     * @param folder names the experiment
     * @param where names the text in errors
     */
    public static List<PastRun> read(
            String json, String folder, String where, Launches launches, SortedMap<String, String> labels) {
        try {
            JsonNode result = MAPPER.readTree(json);
            int version = result.path("schemaVersion").asInt(0);
            if (version < 1 || version > ResultJson.SCHEMA_VERSION) {
                throw new KilnException(
                        Exit.USAGE,
                        where + ": found schemaVersion " + version + ", expected " + ResultJson.SCHEMA_VERSION,
                        "render the experiment again: kiln report " + folder);
            }
            return new ResultReader(result, folder, launches, labels).runs();
        } catch (JacksonException e) {
            throw new KilnException(
                    Exit.USAGE,
                    where + " is no result.json: " + e.getOriginalMessage(),
                    "render the experiment again: kiln report " + folder,
                    e);
        }
    }

    private List<PastRun> runs() {
        List<PastRun> runs = new ArrayList<>();
        for (JsonNode variant : result.path("variants")) {
            for (JsonNode run : variant.path("runs")) {
                runs.add(run(variant.path("name").asString(""), run));
            }
        }
        return runs;
    }

    private PastRun run(String variant, JsonNode run) {
        int number = run.path("run").asInt(0);
        OptionalLong launched = launches.of(variant, number);
        double end = 0;
        for (JsonNode phase : run.path("phases")) {
            end = Math.max(
                    end,
                    number(phase, "startSeconds").orElse(0)
                            + number(phase, "durationSeconds").orElse(0));
        }
        return new PastRun(
                result.path("experiment").asString(""),
                folder,
                variant,
                number,
                launched.orElseGet(() -> firstLaunch() + run.path("block").asInt(0)),
                end,
                run.path("valid").asBoolean(false),
                host(),
                protocol(),
                figures(run),
                labels);
    }

    private long firstLaunch() {
        String launched = result.path("how").path("launchedAt").asString("");
        try {
            return launched.isEmpty() ? 0 : Instant.parse(launched).toEpochMilli();
        } catch (java.time.DateTimeException e) {
            return 0;
        }
    }

    private String host() {
        JsonNode host = result.path("how").path("host");
        return host.isMissingNode()
                ? "unknown"
                : host.path("cpuModel").asString("?") + ", " + host.path("cpus").asInt(0) + " CPUs";
    }

    private String protocol() {
        List<String> phases = new ArrayList<>();
        for (JsonNode phase : result.path("protocol").path("phases")) {
            phases.add(Text.plain(number(phase, "durationSeconds").orElse(0)) + " s "
                    + (phase.path("load").asBoolean(false) ? "load" : "pause"));
        }
        if (result.path("protocol").path("untilFound").asBoolean(false)) {
            phases.add("until the reference is found");
        }
        return String.join(", ", phases);
    }

    private static Map<PastMetric, Double> figures(JsonNode run) {
        Map<PastMetric, Double> figures = new EnumMap<>(PastMetric.class);
        JsonNode seen = run.path("observed");
        for (PastMetric metric : PastMetric.values()) {
            OptionalDouble value = switch (metric) {
                case START -> number(run, "startSeconds");
                case FIRST_RESPONSE -> number(run, "firstResponseSeconds");
                case END_OF_WARMUP -> number(run, "endOfWarmup");
                case PEAK -> first(number(run.path("measure"), "peak"), number(run, "peak"));
                case T90 -> time(run);
                case DEFICIT -> number(run, "deficitSeconds");
                case REQUESTS -> number(run, "requests");
                case MAX_RSS -> number(seen, "maxRssBytes");
                case C2_WAIT -> number(seen, "c2WaitShare");
                case COMPILATIONS -> number(seen, "compilations");
                case COMPILE_TIME -> number(seen, "compileSeconds");
            };
            value.ifPresent(figure -> figures.put(metric, figure));
        }
        return figures;
    }

    /** The run's own peak is a scale only where there is no reference: a plateau reaches itself early. */
    private static OptionalDouble time(JsonNode run) {
        boolean referenced = run.path("measure").isObject();
        return number(run.path(referenced ? "timeToReferencePeak" : "timeToPeak"), "90");
    }

    private static OptionalDouble first(OptionalDouble one, OptionalDouble other) {
        return one.isPresent() ? one : other;
    }

    private static OptionalDouble number(JsonNode node, String key) {
        JsonNode value = node.path(key);
        return value.isNumber() ? OptionalDouble.of(value.asDouble()) : OptionalDouble.empty();
    }
}
