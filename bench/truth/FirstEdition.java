import dev.kiln.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * Kiln before its second edition of the analysis, which took one file a call and printed classes: FILE... prints the JSON that
 * {@code Score} reads. Its class path is that of an older checkout. Words are those its rules made of a class; "unstable" is
 * taken for "cycling", and a steady series without a measuring phase for "cannot tell".
 */
final class FirstEdition {
    private static final double MARGIN = 0.05;

    public static void main(String[] files) throws IOException {
        ObjectMapper json = new ObjectMapper();
        List<Object> series = new ArrayList<>();
        for (String file : files) {
            StringWriter out = new StringWriter();
            StringWriter err = new StringWriter();
            if (Main.run(List.of("analyze", file, "--json", "-"), new PrintWriter(out), new PrintWriter(err)) != 0) {
                System.err.print(err);
                continue;
            }
            JsonNode result = json.readTree(out.toString());
            series.add(Map.of("source", file, "verdict", verdict(result), "timeToPeak", times(result)));
        }
        System.out.println(json.writeValueAsString(Map.of("series", series)));
    }

    private static String verdict(JsonNode result) {
        JsonNode analysis = result.path("analysis");
        JsonNode warmup = analysis.has("warmupAgainstReference")
                ? analysis.path("warmupAgainstReference")
                : analysis.path("warmup");
        return switch (warmup.path("class").asString()) {
            case "not enough data" -> "cannot tell";
            case "no steady state" -> unsteady(warmup);
            case "slowdown" -> below(result) ? "false plateau" : "slowing";
            default -> below(result) ? "false plateau" : result.has("referencePeak") ? "peaked" : "cannot tell";
        };
    }

    private static boolean below(JsonNode result) {
        for (JsonNode note : result.path("footnotes")) {
            if (note.asString().contains("plateau below reference")) {
                return true;
            }
        }
        return false;
    }

    private static String unsteady(JsonNode warmup) {
        return switch (warmup.path("subLabel").asString()) {
            case "climbing" -> "still climbing";
            case "declining" -> "slowing";
            case "oscillating" -> "cycling";
            default -> lateStep(warmup);
        };
    }

    private static String lateStep(JsonNode warmup) {
        double level = warmup.path("level").asDouble();
        boolean rose = true;
        boolean fell = true;
        for (JsonNode one : warmup.path("segmentLevels")) {
            rose &= one.asDouble() <= (1 + MARGIN) * level;
            fell &= one.asDouble() >= (1 - MARGIN) * level;
        }
        return rose ? "still climbing" : fell ? "slowing" : "cycling";
    }

    /** It gave no intervals; what it called not resolvable is no answer. */
    private static Map<String, Object> times(JsonNode result) {
        Map<String, Object> out = new LinkedHashMap<>();
        result.path("analysis")
                .path("warmupAgainstReference")
                .path("timeToPeak")
                .properties()
                .forEach(entry -> {
                    JsonNode time = entry.getValue();
                    if (time.path("resolvable").asBoolean()) {
                        Map<String, Object> of = new LinkedHashMap<>();
                        Double seconds = time.path("censored").asBoolean()
                                ? null
                                : time.path("seconds").asDouble();
                        List.of("seconds", "lo", "hi").forEach(key -> of.put(key, seconds));
                        out.put(entry.getKey(), of);
                    }
                });
        return out;
    }
}
