package dev.kiln.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.kiln.report.Locales;
import dev.kiln.stats.Goldens;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every golden series through the command, and every key of what must come out. */
class AnalyzeGoldenTest {
    @TempDir
    private Path dir;

    @TestFactory
    Stream<DynamicNode> synthetic() {
        return Goldens.SYNTHETIC.stream().map(name -> dynamicTest(name, () -> check(Goldens.resource(name))));
    }

    @TestFactory
    Stream<DynamicNode> published() {
        Optional<Path> directory = Goldens.publishedDirectory();
        if (directory.isEmpty()) {
            return Stream.of(dynamicTest(
                    "published runs",
                    () -> abort("the published runs are not there: no ../shared/golden beside mvnw")));
        }
        return Goldens.published(directory.get()).stream()
                .map(file -> dynamicTest(file.getFileName().toString(), () -> check(Goldens.read(file))));
    }

    private void check(JsonNode golden) throws IOException {
        Path csv = Files.writeString(dir.resolve("series.csv"), csv(golden.get("series")));
        for (String locale : List.of("en-US", "tr-TR", "de-DE")) {
            Kiln ran = Locales.under(locale, () -> Kiln.run("analyze", csv.toString(), "--json", "-"));
            assertThat(ran.err()).isEmpty();
            assertThat(ran.exit()).isZero();
            JsonNode found = new JsonMapper().readTree(ran.out());
            same("analysis", golden.get("analysis"), found.get("analysis"));
            for (String key : List.of("referencePeak", "cooldownJump")) {
                assertThat(found.has(key)).as(key).isEqualTo(golden.has(key));
                if (golden.has(key)) {
                    same(key, golden.get(key), found.get(key));
                }
            }
        }
    }

    /** Extra columns and their order must not matter. */
    private static String csv(JsonNode series) {
        StringBuilder csv = new StringBuilder("second,Requests,errors,phase\n");
        series.properties().forEach(phase -> {
            int second = 0;
            for (JsonNode requests : phase.getValue()) {
                csv.append(second++)
                        .append(',')
                        .append(requests)
                        .append(",0,\"")
                        .append(phase.getKey())
                        .append("\"\n");
            }
        });
        return csv.toString();
    }

    private static void same(String where, JsonNode expected, JsonNode found) {
        assertThat(found).as(where).isNotNull();
        if (expected.isObject()) {
            for (Map.Entry<String, JsonNode> e : expected.properties()) {
                same(where + "." + e.getKey(), e.getValue(), found.get(e.getKey()));
            }
        } else if (expected.isArray()) {
            assertThat(found.size()).as(where).isEqualTo(expected.size());
            for (int i = 0; i < expected.size(); i++) {
                same(where + "." + i, expected.get(i), found.get(i));
            }
        } else if (expected.isIntegralNumber()) {
            assertThat(found.asLong()).as(where).isEqualTo(expected.asLong());
        } else if (expected.isNumber()) {
            assertThat(found.isNumber()).as(where).isTrue();
            assertThat(found.asDouble()).as(where).isCloseTo(expected.asDouble(), within(reach(where, expected)));
        } else {
            assertThat(found).as(where).isEqualTo(expected);
        }
    }

    /** A deficit is a difference of sums: what counts is the size of the sums, here above 10,000 requests. */
    private static double reach(String where, JsonNode expected) {
        double size = Math.max(1, Math.abs(expected.asDouble()));
        return where.endsWith(".trendP") ? 1e-6 : where.endsWith("deficitRequests") ? 1e-5 + 1e-9 * size : 1e-9 * size;
    }
}
