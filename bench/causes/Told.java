import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What Kiln told of a run, from its result.json.
 *
 * @param held ids of what it confirmed, in its order
 * @param heldBack those that can have held the run back; all that are held where the file does not say
 * @param known ids of all that it looked for
 * @param budget of the end of the first load, where there is one
 */
record Told(
        String verdict,
        List<String> held,
        List<String> heldBack,
        TreeSet<String> known,
        double endPerSecond,
        Optional<Budget> budget) {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String CPU_WAIT = "cpu-wait";

    /**
     * Where the response time goes, in ms a request.
     *
     * @param parts by id, such as cpu-wait
     */
    record Budget(double responseMillis, Map<String, Double> parts) {
        /** Returns the largest part. What waits for a CPU waits for what runs, so it is no part of its own here. */
        String largest() {
            return parts.entrySet().stream()
                    .filter(part -> !part.getKey().equals(CPU_WAIT))
                    .max(Map.Entry.comparingByValue())
                    .map(Map.Entry::getKey)
                    .orElse("");
        }

        double of(String... ids) {
            double sum = 0;
            for (String id : ids) {
                sum += parts.getOrDefault(id, 0.0);
            }
            return sum;
        }
    }

    /** Reads what was told of the last run; empty where the file has none that was judged, as where the service died. */
    static Optional<Told> read(Path result) throws IOException {
        JsonNode runs =
                JSON.readTree(result.toFile()).path("variants").path(0).path("runs");
        // Those before it were spoiled by the machine, and repeated.
        JsonNode run = runs.path(runs.size() - 1);
        if (!run.has("verdict") || run.path("findings").isEmpty()) {
            return Optional.empty();
        }
        List<String> held = new ArrayList<>();
        List<String> back = new ArrayList<>();
        TreeSet<String> known = new TreeSet<>();
        for (JsonNode finding : run.path("findings")) {
            String id = finding.path("id").asString();
            known.add(id);
            if (finding.path("state").asString().equals("held")) {
                held.add(id);
                if (!finding.has("explains") || !finding.path("explains").isEmpty()) {
                    back.add(id);
                }
            }
        }
        return Optional.of(new Told(
                run.path("verdict").asString("none"),
                held,
                back,
                known,
                run.path("endOfWarmup").asDouble(0),
                budget(run.path("budget"))));
    }

    /** Of several windows the last is that of the end. */
    private static Optional<Budget> budget(JsonNode node) {
        JsonNode end = node.isArray() ? node.path(node.size() - 1) : node.has("end") ? node.path("end") : node;
        if (!end.has("responseMillis")) {
            return Optional.empty();
        }
        Map<String, Double> parts = new LinkedHashMap<>();
        JsonNode listed = end.path("parts");
        if (listed.isArray()) {
            listed.forEach(part -> parts.put(
                    part.path("id").asString(part.path("part").asString("")), part.path("millis").asDouble(0)));
        } else {
            listed.properties().forEach(part -> parts.put(part.getKey(), part.getValue().asDouble(0)));
        }
        return Optional.of(new Budget(end.path("responseMillis").asDouble(), parts));
    }

    /** Tells whether the machine spoiled the run, or the service did not bear the load: what is not told then, is not known. */
    boolean invalid() {
        return verdict.equals("invalid");
    }

    /** What is named first: what held the run back, else what is there. */
    Optional<String> first() {
        return heldBack.isEmpty() ? held.stream().findFirst() : heldBack.stream().findFirst();
    }
}
