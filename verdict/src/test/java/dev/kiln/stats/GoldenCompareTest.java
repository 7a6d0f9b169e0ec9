package dev.kiln.stats;

import static dev.kiln.stats.Goldens.doubles;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.kiln.stats.Student.PairedRatio;
import dev.kiln.stats.Student.Welch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

/**
 * Every key of the golden comparisons but the ratio of arithmetic means and the permutation of all runs, which blocks do not
 * allow: nothing of Kiln's uses them.
 */
class GoldenCompareTest {
    private static final JsonNode GOLDEN = Goldens.resource("compare");
    private static final double P = 1e-6;
    private static final double MEAN = 1e-9;

    @TestFactory
    Stream<DynamicNode> groups() {
        return GOLDEN.properties().stream()
                .filter(e -> e.getValue().has("welch_log"))
                .map(e -> dynamicContainer(e.getKey(), group(e.getValue())));
    }

    private static List<DynamicNode> group(JsonNode golden) {
        double[] a = doubles(golden.get("a"));
        double[] b = doubles(golden.get("b"));
        List<DynamicNode> out = new ArrayList<>();
        for (Map.Entry<String, JsonNode> e : golden.properties()) {
            if (!Set.of("a", "b", "fieller", "permutation").contains(e.getKey())) {
                out.add(dynamicTest(e.getKey(), () -> assertKey(a, b, e.getKey(), e.getValue())));
            }
        }
        return out;
    }

    private static void assertKey(double[] a, double[] b, String key, JsonNode v) {
        Summary first = Summary.of(a);
        Summary second = Summary.of(b);
        switch (key) {
            case "geomean" -> assertPair(first.geomean(), second.geomean(), v);
            case "sd_population" -> assertPair(first.populationSd(), second.populationSd(), v);
            case "sd_sample" -> assertPair(first.sampleSd(), second.sampleSd(), v);
            case "welch_log" -> assertWelch(Welch.ratio(a, b, 0.95), v);
            case "hodges_lehmann" -> assertHodgesLehmann(HodgesLehmann.of(a, b, 0.95), v);
            case "tost_2pct" -> assertTost(a, b, v);
            case "paired", "paired_by_run_number" -> assertPaired(PairedRatio.of(a, b, 0.95), v);
            case "gate" -> assertGates(a, b, v);
            default -> throw new IllegalStateException("no such key: " + key);
        }
    }

    private static void assertWelch(Welch w, JsonNode v) {
        assertFields(
                v,
                Map.of(
                        "ratio",
                        w.estimate(),
                        "lo",
                        w.lo(),
                        "hi",
                        w.hi(),
                        "se_log",
                        w.se(),
                        "df",
                        w.df(),
                        "t",
                        w.t(),
                        "p",
                        w.p()));
    }

    private static void assertHodgesLehmann(HodgesLehmann h, JsonNode v) {
        near(h.ratio(), v.get("ratio"), MEAN);
        assertThat(h.u()).isEqualTo(v.get("U").asDouble());
        near(h.exactP(), v.get("exact_p"), P);
        assertThat(h.k()).isEqualTo(v.get("k").asInt());
        near(h.achievedConfidence(), v.get("achieved_conf"), P);
        optional(h.lo(), v.get("lo"));
        optional(h.hi(), v.get("hi"));
        if (v.has("note")) {
            assertThat(h.warnings()).contains(v.get("note").asString());
        }
    }

    /** Two one-sided tests reject where the interval of 90 % lies within the margins. */
    private static void assertTost(double[] a, double[] b, JsonNode v) {
        Gate gate = gate(a, b, 2, true);
        near(1 + gate.change().loPct().orElseThrow() / 100, v.get("ci90").get(0), P);
        near(1 + gate.change().hiPct().orElseThrow() / 100, v.get("ci90").get(1), P);
        assertThat(gate.verdict() == Gate.Verdict.PASS)
                .isEqualTo(v.get("equivalent").asBoolean());
    }

    private static Gate gate(double[] a, double[] b, double tolerance, boolean eitherWay) {
        return Gate.of(
                new Gate.GateSide(a),
                new Gate.GateSide(b),
                new Gate.Rule(tolerance, eitherWay, 1, 1),
                Resolution.EXACT);
    }

    private static void assertPaired(PairedRatio p, JsonNode v) {
        assertFields(
                v,
                Map.of(
                        "ratio",
                        p.ratio(),
                        "lo",
                        p.lo(),
                        "hi",
                        p.hi(),
                        "p",
                        p.p(),
                        "sign_flip_exact_p",
                        p.permutation().p().orElseThrow()));
    }

    private static void assertGates(double[] a, double[] b, JsonNode gates) {
        for (JsonNode v : gates) {
            Gate gate = gate(a, b, v.get("tolerance_pct").asDouble(), false);
            near(gate.baseline().value(), v.get("baseline"), MEAN);
            near(gate.current().value(), v.get("current"), MEAN);
            near(gate.change().pct(), v.get("variance_pct"), MEAN);
            near(gate.change().loPct().orElseThrow(), v.get("ci90_pct").get(0), P);
            near(gate.change().hiPct().orElseThrow(), v.get("ci90_pct").get(1), P);
            Gate.Verdict found = gate.verdict();
            assertThat(found == Gate.Verdict.UNDER_POWERED ? "INCONCLUSIVE" : found.name())
                    .isEqualTo(v.get("verdict").asString());
        }
    }

    @Test
    void censoredTimes() {
        JsonNode v = GOLDEN.get("censored_ttp");
        CensoredTimes.CensoredDifference c = CensoredTimes.compare(
                doubles(v.get("a")), doubles(v.get("b")), v.get("horizon").asDouble());
        assertThat(c.a().reached()).isEqualTo(5);
        assertThat(c.b().runs() - c.b().reached()).isEqualTo(v.get("censored_b").asInt());
        optional(c.a().median(), v.get("median").get(0));
        optional(c.b().median(), v.get("median").get(1));
        near(c.a().restrictedMean(), v.get("rmst").get(0), MEAN);
        near(c.b().restrictedMean(), v.get("rmst").get(1), MEAN);
        near(c.restrictedMeanDifference(), v.get("rmst_difference"), MEAN);
    }

    @Test
    void multiplicity() {
        JsonNode v = GOLDEN.get("multiplicity");
        assertThat(Multiplicity.holm(doubles(v.get("p")))).containsExactly(doubles(v.get("holm")), within(P));
        assertThat(Multiplicity.benjaminiHochberg(doubles(v.get("p"))))
                .containsExactly(doubles(v.get("bh")), within(P));
    }

    /** The table's sum of two quantiles is near what noncentral t gives, from five runs a side on. */
    @Test
    void minimalDetectableEffects() {
        for (Map.Entry<String, JsonNode> row : GOLDEN.get("mde_pct").properties()) {
            double cv = Double.parseDouble(row.getKey().replaceAll("[cv%]", "")) / 100;
            for (Map.Entry<String, JsonNode> e : row.getValue().properties()) {
                int n = Integer.parseInt(e.getKey());
                double effect = 100 * Math.expm1(Power.byT(0.05, 2.0 * n - 2) * cv * Math.sqrt(2.0 / n));
                if (n >= 5) {
                    assertThat(effect)
                            .isCloseTo(
                                    e.getValue().asDouble(),
                                    within(0.02 * e.getValue().asDouble()));
                }
            }
        }
    }

    @Test
    void smallestP() {
        JsonNode v = GOLDEN.get("smallest_two_sided_p");
        for (Map.Entry<String, JsonNode> e : v.get("unpaired").properties()) {
            int n = Integer.parseInt(e.getKey());
            near(ExactTest.unpaired(n, n), e.getValue(), P);
        }
        for (Map.Entry<String, JsonNode> e : v.get("sign_flip").properties()) {
            near(ExactTest.withinBlocks(Integer.parseInt(e.getKey())), e.getValue(), P);
        }
    }

    private static void assertFields(JsonNode expected, Map<String, Double> actual) {
        assertThat(actual.keySet())
                .isEqualTo(expected.propertyStream().map(Map.Entry::getKey).collect(Collectors.toSet()));
        actual.forEach((key, value) -> near(value, expected.get(key), key.equals("ratio") ? MEAN : P));
    }

    private static void assertPair(double a, double b, JsonNode v) {
        near(a, v.get(0), MEAN);
        near(b, v.get(1), MEAN);
    }

    private static void optional(OptionalDouble actual, JsonNode expected) {
        if (expected.isNull()) {
            assertThat(actual).isEmpty();
        } else {
            near(actual.orElseThrow(), expected, P);
        }
    }

    private static void near(double actual, JsonNode expected, double tolerance) {
        double e = expected.asDouble();
        assertThat(actual).isCloseTo(e, within(tolerance * Math.abs(e) + 1e-15));
    }
}
