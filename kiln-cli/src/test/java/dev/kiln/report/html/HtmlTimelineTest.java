package dev.kiln.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.report.SampleExplanation;
import dev.kiln.report.Samples;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class HtmlTimelineTest {
    private static final ExperimentResult EXPLAINED = SampleExplanation.explained(Samples.platformAgainstVirtual(2));

    private static String html(ExperimentResult result) {
        return new HtmlTimeline(result, new Captions(result)).html();
    }

    @Test
    void everyPanelThatHasEvidenceStandsOnceInOrder() {
        String html = html(EXPLAINED);

        int[] places = Panel.ALL.stream()
                .filter(panel -> !panel.isOfCalls() && !panel.id().equals("errors"))
                .mapToInt(panel -> html.indexOf("data-panel=\"" + panel.id() + "\""))
                .toArray();
        assertThat(places).doesNotContain(-1).isSorted();
        assertThat(html).as("its load has one call").doesNotContain("Not shown", "data-panel=\"calls");
        assertThat(html).as("and no request failed").doesNotContain("data-panel=\"errors");
    }

    @Test
    void whatNoRunHasIsSaidWithTheWayToGetIt() {
        String html = html(Samples.withoutInside());

        assertThat(html)
                .contains("Not shown", "Compile queue, methods by level", "-XX:+DisableAttachMechanism")
                .contains("Share of samples by tier", "--flight-recorder")
                .doesNotContain("data-panel=\"queue\"", "data-panel=\"tiers\"", "<b>C2&#39;s CPU and wait</b>");
    }

    @Test
    void eachVariantHasARowOfC2IfThereAreSeveral() {
        String html = html(EXPLAINED);
        String rows = html.substring(html.indexOf("data-panel=\"c2all\""), html.indexOf("data-panel=\"yield\""));

        assertThat(rows)
                .contains("C2&#39;s CPU and wait of each variant <small>% of one CPU</small>")
                .contains("var(--c2)\"></span>running", "var(--wait)\"></span>waiting for a CPU")
                .containsPattern(
                        "role=\"img\" aria-label=\"C2&#39;s CPU and wait of each variant, % of one CPU. platform"
                                + " threads: in the second half of the warm-up C2 got [^\"]*virtual threads: [^\"]*\\.\"")
                .contains(
                        "<figcaption><span>A row is the first valid run of a variant. It is grey from the launch to the"
                                + " first request.</span> <span data-of=\"0\"><b>platform threads</b>: in the second half");
        assertThat(html.substring(html.indexOf("data-panel=\"c2\""), html.indexOf("data-panel=\"forecast\"")))
                .as("said above")
                .doesNotContain("<figcaption>");
        assertThat(html(Samples.platformAgainstVirtual(3)))
                .contains("A row is the median of a variant&#39;s valid runs, second by second. It is grey");
        String alone = html(HandMade.assess(HandMade.measured("a", 1000, HandMade.seconds(60, 1000))
                .thread(1, 7, "C2 CompilerThre", ThreadRole.C2, 0.5, 0)
                .thread(100, 7, "C2 CompilerThre", ThreadRole.C2, 9, 1)));
        assertThat(alone).contains("data-panel=\"c2\"").doesNotContain("c2all");
    }

    @Test
    void eachVariantHasARowOfItsUserAndSystemTimeWhereTheyAreKnown() {
        String html = html(EXPLAINED);
        String rows = html.substring(html.indexOf("data-panel=\"cpuall\""), html.indexOf("data-panel=\"yield\""));
        HandMade older = HandMade.measured("a", 1000, HandMade.seconds(60, 1000));
        HandMade known = HandMade.measured("b", 1000, HandMade.seconds(60, 1000));
        for (int second = 0; second <= 100; second++) {
            older.part(second, "target", second);
            known.parts.add(new PartSample(
                    HandMade.nanos(second),
                    "target",
                    HandMade.nanos(second),
                    0,
                    Optional.of(new PartSample.Modes(HandMade.nanos(0.7 * second), HandMade.nanos(0.3 * second)))));
        }
        JsonNode data = JsonMapper.shared().readTree(ChartData.json(HandMade.assess(older, known), false));

        assertThat(rows)
                .contains("The target&#39;s user and system time <small>% of one CPU, a row for each variant</small>")
                .contains("var(--plain)\"></span>user", "var(--native)\"></span>system")
                .contains("<figcaption><span>A row is the first valid run of a variant.");
        assertThat(html(HandMade.assess(known))).as("of one variant too").contains("data-panel=\"cpuall\"");
        assertThat(html(HandMade.assess(older))).doesNotContain("cpuall");
        assertThat(data.at("/variants/0/runs/0").has("st")).isFalse();
        assertThat(data.at("/variants/1/runs/0/st").get(0).asDouble()).isEqualTo(-10);
        assertThat(data.at("/variants/1/runs/0/su").get(0).asInt()).isEqualTo(70);
        assertThat(data.at("/variants/1/runs/0/ss").get(99).asInt()).isEqualTo(30);
    }

    @Test
    void eachVariantHasARowOfWhereTheTimeOfARequestGoes() {
        String html = html(EXPLAINED);
        String rows = html.substring(html.indexOf("data-panel=\"budget\""), html.indexOf("data-panel=\"c2all\""));
        JsonNode data = JsonMapper.shared().readTree(ChartData.json(EXPLAINED, false));
        JsonNode run = data.at("/variants/0/runs/0");

        assertThat(rows)
                .contains("Where the time of a request goes <small>ms by part, a row for each variant</small>")
                .containsSubsequence(
                        "var(--plain)\"></span>running<",
                        "var(--native)\"></span>running in the kernel<",
                        "var(--wait)\"></span>waiting for a CPU<",
                        "var(--c2)\"></span>stopped by collections<",
                        "var(--c2b)\"></span>other stops of the JVM<",
                        "var(--c1c)\"></span>the rest<")
                .as("in no second")
                .doesNotContain("CPU limit", "blocked")
                .contains("A row is the first valid run of a variant. The parts add up", "what is beyond it is cut.");
        assertThat(data.get("parts"))
                .extracting(
                        part -> part.get("y").asString() + " " + part.get("c").asString())
                .containsExactly(
                        "b-running plain",
                        "b-kernel native",
                        "b-cpu-wait wait",
                        "b-collection c2",
                        "b-safepoint c2b",
                        "b-rest c1c");
        assertThat(run.get("bt")).hasSize(80);
        assertThat(data.get("parts")
                        .valueStream()
                        .mapToDouble(part ->
                                run.get(part.get("y").asString()).get(50).asDouble())
                        .sum())
                .as("40 connections over the throughput")
                .isCloseTo(40_000 / run.get("rate").get(50).asDouble(), within(0.05));
        String alone = html(HandMade.assess(HandMade.measured("a", 1000, HandMade.seconds(60, 1000))));
        assertThat(alone)
                .doesNotContain("data-panel=\"budget\"")
                .contains("<b>Where the time of a request goes</b>: the threads of the target were not recorded");
    }

    @Test
    void theTableOfTheBudgetStandsUnderTheVerdict() {
        String html = new HtmlFindings(EXPLAINED).html();

        assertThat(html)
                .containsSubsequence(
                        "<h3 class=\"verdict false-plateau\">",
                        "<h4>Where the time of a request goes, ms</h4>",
                        "<th scope=\"col\">first<br>10 s</th><th scope=\"col\">at the<br>end</th>",
                        "<tr><th scope=\"row\">waiting for a CPU</th><td>26.7</td><td>11.6</td><td>5.00</td></tr>",
                        "<tr><th scope=\"row\">response time</th><td>44.5</td>",
                        "<h4>C2 starved of CPU</h4>")
                .contains(
                        "<tr class=\"within\"><th scope=\"row\">park com.zaxxer.hikari.util.ConcurrentBag.borrow:151,"
                                + " java.util.concurrent.SynchronousQueue$Transferer</th><td>\u2013</td>",
                        "<tr class=\"within\"><th scope=\"row\">in JSON and other serialisation</th><td>",
                        "<p class=\"reason\">What the code is for is known within",
                        "The rest is 48\u00a0% after the pause: thread dumps would split it");
        assertThat(new HtmlFindings(Samples.nothingToSay()).html()).doesNotContain("<table");
    }

    @Test
    void compilationsAreTheDifferencesOfTheirCounter() {
        HandMade made = HandMade.measured("a", 1000, HandMade.seconds(60, 1000));
        for (double[] at : new double[][] {{9.4, 1000, 4e6}, {10.4, 1300, 4.26e6}, {12.4, 1340, 5e6}}) {
            made.compiler.add(
                    new CompilerSample(HandMade.nanos(at[0]), Math.round(at[1]), 0, 0, Math.round(at[2]), 0, 0));
        }
        JsonNode run = JsonMapper.shared()
                .readTree(ChartData.json(HandMade.assess(made), false))
                .at("/variants/0/runs/0");

        assertThat(run.get("kt")).hasToString("[0,2]");
        assertThat(run.get("kc")).as("per second").hasToString("[300,20]");
        assertThat(run.get("kb")).as("MB").hasToString("[4.3,5]");
    }

    @Test
    void forecastsAreALineThatEndsWhereTheLoadEnded() {
        JsonNode data = JsonMapper.shared().readTree(ChartData.json(EXPLAINED, false));

        assertThat(data.at("/variants/0/runs/0/ft")).hasToString("[10,30]");
        assertThat(data.at("/variants/0/runs/0/fl")).as("in two digits").hasToString("[110,180]");
        assertThat(data.at("/variants/1/runs/0").has("ft")).isFalse();
        assertThat(html(EXPLAINED))
                .contains("The line ends where the load ended.</span>")
                .contains("When C2 would be done at the earliest: no forecast for this run.");
    }

    @Test
    void errorsHaveAPanelWhereThereAreAny() {
        HandMade made = HandMade.measured("a", 1000, HandMade.seconds(60, 1000)).spoil("warmup", 12.3, 4, 0);
        JsonNode run = JsonMapper.shared()
                .readTree(ChartData.json(HandMade.assess(made), false))
                .at("/variants/0/runs/0");

        assertThat(html(HandMade.assess(made))).contains("data-panel=\"errors\"");
        assertThat(run.get("err").get(2).asInt()).isEqualTo(4);
        assertThat(run.get("err").get(3).asInt()).isZero();
    }

    @Test
    void percentilesOfARunNeedAHistogram() {
        JsonNode run =
                JsonMapper.shared().readTree(ChartData.json(EXPLAINED, false)).at("/variants/0/runs/0");
        String plain = html(HandMade.assess(HandMade.measured("a", 1000, HandMade.seconds(60, 1000))));

        assertThat(run.get("pt")).hasSize(80);
        for (int i = 0; i < 80; i++) {
            assertThat(run.get("p95").get(i).asDouble())
                    .isBetween(
                            run.get("p50").get(i).asDouble(),
                            run.get("p99").get(i).asDouble());
            assertThat(run.get("p999").get(i).asDouble())
                    .isGreaterThan(run.get("p99").get(i).asDouble());
        }
        assertThat(plain)
                .doesNotContain("data-panel=\"times\"")
                .contains("<b>Percentiles of latency over time</b>: they need a histogram of each second");
    }

    @Test
    void aFindingHasItsEvidenceItsMomentsAndItsRemedies() {
        String html = new HtmlFindings(EXPLAINED).html();

        assertThat(html)
                .contains("<h3 class=\"verdict false-plateau\">False plateau</h3>")
                .contains("data-from=\"30.0\" data-to=\"60.0\">C2 got 3.4\u00a0% of a CPU")
                .contains("<li>The first compilation took 12,595 others with it</li>")
                .contains(
                        "<li class=\"place\">launch flag</li>\n<li><details><summary>Serve requests on virtual threads"
                                + "</summary><code>spring.threads.virtual.enabled=true</code>")
                .contains("<p class=\"reason\">Had the load gone on: C2 not done before 180\u00a0s (by second 30 it got"
                        + " 3.4\u00a0% of a CPU).</p>")
                .doesNotContain("C2 not done before 110")
                .contains("<summary>Ruled out <small>2</small></summary>")
                .contains("<summary>Not observable <small>1</small></summary>");
        assertThat(html.split("<article", -1)).as("one for each run").hasSize(1 + 4);
    }

    @Test
    void everyCurveHasAPanelThatAFindingLeadsTo() {
        assertThat(Arrays.stream(Finding.Curve.values()).map(HtmlFindings::panel))
                .isSubsetOf(Panel.ALL.stream().map(Panel::id).toList());
    }

    @Test
    void theTimeIsExplainedOnDemandWhereThereIsOne() {
        assertThat(html(EXPLAINED)).containsOnlyOnce("id=\"why\"").containsOnlyOnce("id=\"why-words\" hidden");
        assertThat(html(Samples.nothingToSay())).doesNotContain("id=\"why");
    }

    @Test
    void whatEvidenceSaysIsTextNotMarkup() {
        assertThat(new HtmlFindings(Samples.nothingToSay()).html()).doesNotContain("<b>", "</script>");
    }

    @Test
    void panelsAreFedWithColumnsAndNotWithRepeatedNames() {
        JsonNode run =
                JsonMapper.shared().readTree(ChartData.json(EXPLAINED, false)).at("/variants/0/runs/0");

        IntStream.rangeClosed(1, 4)
                .forEach(level -> assertThat(run.get("l" + level).size()).isEqualTo(103));
        assertThat(run.get("q2").get(40).asInt()).isGreaterThan(2500);
        assertThat(run.get("m4").get(40).asDouble()).isGreaterThan(500);
        assertThat(run.has("m1")).as("no compilation at level 1").isFalse();
        assertThat(run.get("weight").asDouble()).isEqualTo(0.97);
    }
}
