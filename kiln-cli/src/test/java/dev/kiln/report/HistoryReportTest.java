package dev.kiln.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.study.PastRun;
import dev.kiln.explain.study.PastRun.PastFigures;
import dev.kiln.explain.study.PastRun.PastRunName;
import dev.kiln.explain.study.PastRun.PastSetting;
import dev.kiln.history.History;
import dev.kiln.history.HistoryReport;
import dev.kiln.history.HistoryTables;
import dev.kiln.history.OtavaExport;
import dev.kiln.model.Metric;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

class HistoryReportTest {
    private static final JsonMapper STRICT = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final History history = HistorySamples.history();

    @Test
    void aLineASeriesAndItsChangesBelow() {
        Golden.check("history/history.golden.txt", () -> HistoryReport.terminal(history, TerminalStyle.plain()));
        assertThat(HistoryReport.terminal(history, TerminalStyle.plain()))
                .contains("peak: 5,", "(\u221220.0 %, 95 % interval \u2212", "worse) from 2026-02-02", "demo-week5\n");
    }

    @Test
    void fitsPlainTerminals() {
        assertThat(HistoryReport.terminal(history, new TerminalStyle(80, false, false)))
                .matches("\\p{ASCII}*")
                .satisfies(text -> assertThat(text.lines()).allMatch(line -> line.length() <= 80));
    }

    @Test
    void tablesAreSealed() {
        Golden.check("history/history.golden.csv", () -> HistoryTables.csv(history));
        Golden.check("history/history.golden.json", () -> HistoryTables.json(history));
        JsonNode json = STRICT.readTree(HistoryTables.json(history));
        assertThat(json.at("/series/0/metric").asString()).isEqualTo("peak");
        assertThat(json.at("/series/0/changes/0/index").asInt()).isEqualTo(4);
        assertThat(json.at("/series/1/missing").asInt()).isEqualTo(2);
    }

    @Test
    void horreumGetsFlatObjectsWithTheUrnOfTheirSchema() {
        Golden.check("history/horreum.golden.json", () -> HistoryTables.horreum(history));
        for (JsonNode run : STRICT.readTree(HistoryTables.horreum(history))) {
            assertThat(run.path("$schema").asString()).isEqualTo("urn:kiln:run:3");
            assertThat(run.values()).noneMatch(JsonNode::isContainer);
        }
    }

    /** It would make a data point of an invalid run, and a path of letters that must be quoted. */
    @Test
    void horreumGetsValidRunsAloneAndLabelsThatAreNames() {
        SortedMap<String, String> labels = new TreeMap<>(Map.of("java.version", "17", "my-key", "x"));
        List<PastRun> runs = Stream.of(true, false)
                .map(valid -> new PastRun(
                        new PastRunName("e", "e-1", "v", 0, valid ? 1 : 2),
                        0,
                        1,
                        valid,
                        new PastSetting("h", "p"),
                        new PastFigures(false, Map.of(Metric.PEAK, 100.0)),
                        labels))
                .toList();

        JsonNode told = STRICT.readTree(HistoryTables.horreum(History.of(runs, Set.of(Metric.PEAK))));

        assertThat(told.size()).isEqualTo(1);
        assertThat(told.at("/0/run").asInt()).isEqualTo(1);
        assertThat(told.at("/0/label_java_version").asString()).isEqualTo("17");
        assertThat(told.at("/0/label_my_key").asString()).isEqualTo("x");
    }

    @Test
    void otavaGetsARowASessionAndATestForWhatOnlySomeRunsHave() {
        Map<String, String> files = OtavaExport.files(history);

        assertThat(files.keySet())
                .containsExactly("demo.virtual_new.csv", "demo.virtual_new.t90.csv", "demo.platform.csv", "otava.yaml");
        files.forEach((name, text) -> Golden.check(
                "history/otava/" + name, () -> OtavaExport.files(history).getOrDefault(name, "")));
        assertThat(files.getOrDefault("demo.virtual_new.csv", "").lines()).hasSize(10);
        assertThat(files.getOrDefault("demo.virtual_new.t90.csv", "").lines()).hasSize(9);
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo.virtual_new", "demo.virtual_new.t90", "demo.platform"})
    void everyTestOfTheConfigurationHasItsColumns(String test) {
        Map<String, String> files = OtavaExport.files(history);
        JsonNode config = new YAMLMapper()
                .readTree(files.getOrDefault("otava.yaml", ""))
                .path("tests")
                .path(test);

        assertThat(config.path("type").asString()).isEqualTo("csv");
        String header = files.getOrDefault(config.path("file").asString(), "")
                .lines()
                .findFirst()
                .orElse("");
        assertThat(header).startsWith("time,commit,");
        assertThat(header.split(",")).containsAll(config.path("metrics").propertyNames());
    }
}
