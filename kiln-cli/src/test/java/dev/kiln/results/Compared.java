package dev.kiln.results;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.Kiln;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Compared is what {@code kiln compare --json} says. */
final class Compared {
    static final List<String> TWO = List.of("platform", "virtual");

    private Compared() {}

    static JsonNode json(String... args) {
        Kiln ran = Kiln.run(args);
        assertThat(ran.err()).isEmpty();
        assertThat(ran.exit()).isZero();
        return new JsonMapper().readTree(ran.out());
    }

    static JsonNode metric(JsonNode against, String id) {
        for (JsonNode metric : against.get("metrics")) {
            if (metric.get("metric").asString().equals(id)) {
                return metric;
            }
        }
        throw new AssertionError("no metric " + id);
    }
}
