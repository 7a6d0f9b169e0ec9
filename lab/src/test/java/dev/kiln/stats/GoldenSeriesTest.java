package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

/** Every key of every phase of the golden series. */
class GoldenSeriesTest {
    private static final AnalysisConfig CONFIG = AnalysisConfig.defaults();

    @TestFactory
    Stream<DynamicNode> synthetic() {
        return Goldens.SYNTHETIC.stream().map(name -> dynamicContainer(name, tests(Goldens.resource(name))));
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
                .map(file -> dynamicContainer(file.getFileName().toString(), tests(Goldens.read(file))));
    }

    private static List<DynamicNode> tests(JsonNode golden) {
        List<DynamicNode> out = new ArrayList<>();
        for (Map.Entry<String, JsonNode> phase : golden.path("partition").properties()) {
            double[] series = series(golden, phase.getKey());
            int i = 0;
            for (JsonNode expected : phase.getValue()) {
                out.add(dynamicTest(
                        "partition " + phase.getKey() + " " + i++, () -> assertPartition(series, expected)));
            }
        }
        for (Map.Entry<String, JsonNode> phase : golden.path("analysis").properties()) {
            analysis(golden, phase.getKey(), phase.getValue(), out);
        }
        if (golden.hasNonNull("cooldownJump")) {
            out.add(dynamicTest("cooldownJump", () -> assertJump(golden)));
            out.add(dynamicTest("referencePeak", () -> assertReference(golden)));
        }
        return out;
    }

    private static void analysis(JsonNode golden, String phase, JsonNode expected, List<DynamicNode> out) {
        for (Map.Entry<String, JsonNode> e : expected.properties()) {
            out.add(dynamicTest(
                    "analysis " + phase + " " + e.getKey(),
                    () -> assertKey(analyse(golden, phase), e.getKey(), e.getValue())));
        }
    }

    private static Analysed analyse(JsonNode golden, String phase) {
        SeriesAnalysis analysis = switch (phase) {
            case "warmup" -> SeriesAnalyzer.warmup(series(golden, "warmup"), CONFIG);
            case "measure" -> SeriesAnalyzer.measuring(series(golden, "measure"), CONFIG);
            case "warmupAgainstReference" ->
                SeriesAnalyzer.againstReference(
                        series(golden, "warmup"), golden.get("referencePeak").asDouble(), CONFIG);
            default -> throw new IllegalStateException(phase);
        };
        assertThat(analysis).isInstanceOf(Analysed.class);
        return (Analysed) analysis;
    }

    private static double[] series(JsonNode golden, String phase) {
        return Goldens.doubles(golden.path("series").get(phase));
    }

    private static void assertPartition(double[] series, JsonNode expected) {
        assertThat(expected.get("cost").asString()).isEqualTo("normal");
        Partition p = Partitioner.partition(
                series,
                SegmentCost.NORMAL,
                expected.get("penalty").asDouble(),
                expected.get("minSegment").asInt());
        assertThat(p.changepoints()).isEqualTo(integers(expected.get("changepoints")));
        assertThat(p.objective()).isCloseTo(expected.get("objective").asDouble(), relative(expected.get("objective")));
    }

    private static void assertKey(Analysed a, String key, JsonNode v) {
        switch (key) {
            case "bins" -> assertThat(a.bins()).isEqualTo(v.asInt());
            case "tailBins" -> assertThat(a.tailBins()).isEqualTo(v.asInt());
            case "masked" -> assertThat(a.masked()).isEqualTo(integers(v));
            case "changepoints" -> assertThat(a.changepoints()).isEqualTo(integers(v));
            case "objective" -> assertMean(a.objective(), v);
            case "segmentLevels" -> assertLevels(a.segmentLevels(), v);
            case "level" -> assertMean(a.level(), v);
            case "steady" -> assertThat(a.steady()).isEqualTo(v.asBoolean());
            case "steadyStart" -> assertOptional(a.steadyStart(), v);
            case "class" -> assertThat(a.steadyClass().label()).isEqualTo(v.asString());
            case "subLabel" -> assertThat(a.subLabel().label()).isEqualTo(v.asString());
            case "peakSelf" -> assertMean(a.peakSelf(), v);
            case "peakUsed" -> assertOptional(a.peakUsed(), v);
            case "tailCv" -> assertMean(a.tailCv(), v);
            case "tailGrowth" -> assertMean(a.tailGrowth(), v);
            case "trendP" -> assertThat(a.trendP()).isCloseTo(v.asDouble(), within(1e-6));
            case "trend" -> assertThat(a.trend().label()).isEqualTo(v.asString());
            case "reversals" -> assertThat(a.reversals()).isEqualTo(v.asInt());
            case "timeToPeak" -> assertTimes(a, v);
            case "requests" -> assertMean(a.requests(), v);
            case "deficitRequests" -> assertDeficit(a, v);
            case "deficitSeconds" -> assertOptional(a.deficitSeconds(), v);
            case "efficiency" -> assertOptional(a.efficiency(), v);
            case "minTailUsed" -> assertThat(a.minTailUsed()).isEqualTo(v.asInt());
            default -> throw new IllegalStateException("no such key: " + key);
        }
    }

    private static void assertTimes(Analysed a, JsonNode times) {
        assertThat(times.properties()).hasSameSizeAs(a.timeToPeak());
        for (Map.Entry<String, JsonNode> e : times.properties()) {
            TimeToPeak t = a.timeToPeak(Integer.parseInt(e.getKey())).orElseThrow();
            assertOptional(t.seconds(), e.getValue().get("seconds"));
            assertThat(t.censored()).isEqualTo(e.getValue().get("censored").asBoolean());
            assertOptional(t.lastBelow(), e.getValue().get("lastBelow"));
            assertThat(t.resolvable()).isEqualTo(e.getValue().get("resolvable").asBoolean());
        }
    }

    private static void assertLevels(List<Double> levels, JsonNode expected) {
        assertThat(levels).hasSize(expected.size());
        for (int i = 0; i < levels.size(); i++) {
            assertMean(levels.get(i), expected.get(i));
        }
    }

    private static void assertJump(JsonNode golden) {
        CooldownJump jump = CooldownJump.of(series(golden, "warmup"), series(golden, "measure"))
                .orElseThrow();
        assertMean(jump.before(), golden.path("cooldownJump").get("before"));
        assertMean(jump.after(), golden.path("cooldownJump").get("after"));
        assertMean(jump.ratio(), golden.path("cooldownJump").get("ratio"));
    }

    private static void assertReference(JsonNode golden) {
        ReferencePeak peak = ReferencePeak.of(List.of(series(golden, "measure")));
        assertMean(peak.value(), golden.get("referencePeak"));
        boolean steady = golden.path("analysis").path("measure").get("steady").asBoolean();
        assertThat(peak.lowerBound()).isEqualTo(!steady);
    }

    /** A difference of sums: what counts is the size of the sums, not of what is left of them. */
    private static void assertDeficit(Analysed a, JsonNode v) {
        if (v.isNull()) {
            assertThat(a.deficitRequests()).isEmpty();
        } else {
            assertThat(a.deficitRequests().orElseThrow()).isCloseTo(v.asDouble(), within(1e-9 * a.requests()));
        }
    }

    private static void assertOptional(OptionalDouble actual, JsonNode expected) {
        if (expected.isNull()) {
            assertThat(actual).isEmpty();
        } else {
            assertMean(actual.orElseThrow(), expected);
        }
    }

    private static void assertMean(double actual, JsonNode expected) {
        assertThat(actual).isCloseTo(expected.asDouble(), relative(expected));
    }

    private static Offset<Double> relative(JsonNode expected) {
        return within(1e-9 * Math.max(1, Math.abs(expected.asDouble())));
    }

    private static List<Integer> integers(JsonNode array) {
        List<Integer> out = new ArrayList<>();
        array.forEach(v -> out.add(v.asInt()));
        return out;
    }
}
