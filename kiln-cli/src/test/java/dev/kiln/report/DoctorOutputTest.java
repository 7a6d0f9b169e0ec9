package dev.kiln.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.doctor.DoctorJson;
import dev.kiln.doctor.DoctorMetrics;
import dev.kiln.doctor.DoctorScreen;
import dev.kiln.doctor.DoctorText;
import dev.kiln.doctor.LiveDiagnosis;
import dev.kiln.doctor.LiveDiagnosis.LiveState;
import dev.kiln.doctor.LiveFigures;
import dev.kiln.doctor.LiveFigures.LiveCompilation;
import dev.kiln.doctor.LiveFigures.LiveCompiler;
import dev.kiln.doctor.MetricsPush.OtlpMetrics;
import dev.kiln.doctor.Watch.DoctorSubject;
import dev.kiln.explain.Forecaster.Forecast;
import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.budget.RunningCode;
import dev.kiln.explain.window.Window;
import dev.kiln.model.LiveProcess;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.JitState;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.WaitKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DoctorOutputTest {
    /** Of 20 threads at work 12 are blocked, and 6 wait for a CPU. */
    private static final Budget BUDGET = new Budget(
            new Window(0, 1),
            20,
            1000,
            Map.of(
                    BudgetPart.RUNNING,
                    80.0,
                    BudgetPart.CPU_WAIT,
                    300.0,
                    BudgetPart.COLLECTION,
                    20.0,
                    BudgetPart.BLOCKED,
                    600.0,
                    BudgetPart.REST,
                    0.0),
            RunningCode.NONE,
            List.of(new Budget.BlockedTime(
                    WaitKind.MONITOR, "app.Stock.take:12", "held by http-7 at app.Stock.put:30", 500)),
            OptionalDouble.empty(),
            Optional.empty(),
            OptionalDouble.empty());

    private static final Path ROOT = Path.of("..");

    private static DoctorSubject starved() {
        Finding finding = new Finding(
                "c2-starved",
                "C2 starved of CPU",
                Finding.Curve.C2,
                Finding.FindingState.CONFIRMED,
                0.97,
                Set.of(Finding.Effect.BELOW_PEAK),
                List.of(new Finding.Proof(
                        "C2 got 3.0 % of a CPU and waited for one 95.0 % of the time", Optional.empty())),
                List.of(new Finding.FindingRemedy(
                        "give the C2 threads priority now",
                        "renice -n -20 -p TID",
                        "CAP_SYS_NICE",
                        Finding.RemedyPlace.LIVE_PROCESS)));
        LiveFigures figures = new LiveFigures(
                10,
                OptionalDouble.of(0.98),
                OptionalDouble.of(0.9),
                OptionalDouble.of(0),
                new LiveCompiler(OptionalDouble.of(0.01), OptionalDouble.of(0.2), OptionalInt.of(2)),
                new LiveCompiler(OptionalDouble.of(0.03), OptionalDouble.of(0.95), OptionalInt.of(412)),
                new LiveCompilation(
                        OptionalDouble.of(0.05),
                        OptionalDouble.of(3.5),
                        Optional.of(new JitState.CodeLevels(210, 800, 900, 355, OptionalInt.empty())),
                        OptionalDouble.of(1.5)));
        return new DoctorSubject(
                new LiveProcess(4711, 1, 1, "app", Optional.of("0123456789ab"), Optional.empty(), "app.jar", 95, 130),
                new LiveDiagnosis(
                        LiveState.STARVED,
                        "C2 got 3.0 % of a CPU and waited for one 95.0 % of the time in the time watched",
                        List.of(finding),
                        Optional.of(new Forecast(10, 0.03, 110, 200, 410)),
                        Optional.of(BUDGET),
                        figures),
                List.of(new NotRecorded("code cache", "the JVM did not answer")));
    }

    private static DoctorSubject unseen() {
        OptionalDouble none = OptionalDouble.empty();
        LiveCompiler compiler = new LiveCompiler(none, none, OptionalInt.empty());
        LiveFigures figures = new LiveFigures(
                0, none, none, none, compiler, compiler, new LiveCompilation(none, none, Optional.empty(), none));
        return new DoctorSubject(
                new LiveProcess(1, 1, 1, "0", Optional.empty(), Optional.empty(), "java", 1, 1),
                new LiveDiagnosis(
                        LiveState.UNKNOWN, "it has died", List.of(), Optional.empty(), Optional.empty(), figures),
                List.of());
    }

    @Test
    void theFirstLineIsTheVerdict() {
        String text = DoctorText.render(starved(), TerminalStyle.plain());
        assertThat(text.lines().findFirst().orElseThrow())
                .startsWith("app.jar (pid 4711) is starved")
                .endsWith("in the time watched.");
        assertThat(text)
                .contains(
                        "> give the C2 threads priority now: renice",
                        "Forecast: C2 needs 100 s or more at the share of a CPU that it gets (3.0 %).",
                        "code cache");
    }

    @Test
    void onATerminalNoLineIsWiderAndAFileHasTheVerdictInOne() {
        for (int width : new int[] {40, 60, 80}) {
            TerminalStyle style = new TerminalStyle(width, true, true);
            String text = DoctorText.render(starved(), style) + DoctorText.all(List.of(starved(), unseen()), style);
            assertThat(text.replaceAll("\\p{Cntrl}[0-9a-z]+\\[\\d+m\\p{Cntrl}", "")
                            .lines())
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(width));
        }
        TerminalStyle file = new TerminalStyle(40, TerminalStyle.FILE, false, true);
        String verdict = DoctorText.verdict(starved());
        assertThat(DoctorText.render(starved(), file)).startsWith(verdict + "\n");
        assertThat(DoctorText.all(List.of(starved()), file)).endsWith("  app.jar\n");
    }

    @Test
    void whereTheTimeOfRequestsGoesComesSecond() {
        String text = DoctorText.render(starved(), new TerminalStyle(1000, false, true));
        assertThat(text.lines().skip(1).findFirst().orElseThrow())
                .isEqualTo("Where the time of its requests goes (20.0 threads at work on average): 60 % blocked (most:"
                        + " monitor at app.Stock.take:12, held by http-7 at app.Stock.put:30), 30 % waiting for a CPU, 8 %"
                        + " running, 2 % stopped by collections");
    }

    @Test
    void theScreenFitsATerminalOf80By24() {
        DoctorScreen.LastMinute history = new DoctorScreen.LastMinute();
        for (int i = 0; i < 200; i++) {
            history.add(
                    OptionalDouble.of(i % 3),
                    OptionalDouble.of(0.1),
                    OptionalDouble.empty(),
                    OptionalDouble.of(1000 + i),
                    OptionalDouble.of(i));
        }
        for (DoctorSubject subject : List.of(starved(), unseen())) {
            for (boolean unicode : new boolean[] {true, false}) {
                List<String> lines = DoctorScreen.lines(subject, history, new TerminalStyle(200, true, unicode));
                assertThat(lines).hasSizeLessThan(24).allMatch(line -> line.length() <= 80);
                assertThat(DoctorScreen.lines(subject, history, new TerminalStyle(40, true, unicode)))
                        .hasSizeLessThan(24)
                        .allMatch(line -> line.length() <= 40);
                assertThat(String.join("\n", lines)).doesNotContain("NaN", "null", "\u001b");
                assertThat(lines)
                        .anyMatch(line ->
                                line.equals(subject.diagnosis().state().text().toUpperCase(Locale.ROOT)));
            }
        }
    }

    @Test
    void jsonHasWhatScriptsDependOn() {
        Locales.under("de-DE", () -> {
            JsonNode json = JsonMapper.shared().readTree(DoctorJson.render(starved()));
            assertThat(json.path("pid").asLong()).isEqualTo(4711);
            assertThat(json.path("state").asString()).isEqualTo("starved");
            assertThat(json.path("findings").get(0).path("id").asString()).isEqualTo("c2-starved");
            assertThat(json.path("figures").path("c2WaitRatio").asDouble()).isEqualTo(0.9694);
            assertThat(json.at("/forecast/c2NeedsAtLeastSeconds").asDouble()).isEqualTo(100);
            JsonNode none = JsonMapper.shared().readTree(DoctorJson.render(unseen()));
            assertThat(none.path("figures").path("c2Cpu").isNull()).isTrue();
            assertThat(none.path("forecast").isNull()).isTrue();
            return json;
        });
    }

    @Test
    void metricsAreOpenMetrics() {
        String text = Locales.under("tr-TR", () -> DoctorMetrics.of(starved()).text());
        assertThat(text).endsWith("# EOF\n");
        assertThat(text)
                .contains(
                        "kiln_jvm_warm 0\n",
                        "kiln_jvm_state{kiln_jvm_state=\"starved\"} 1\n",
                        "kiln_jvm_compile_queue_methods{compiler=\"C2\"} 412\n",
                        "kiln_jvm_compiled_methods{level=\"4\"} 355\n",
                        "kiln_jvm_c2_cpu_cores 0.03\n");
        for (String line : text.lines().toList()) {
            assertThat(line)
                    .matches("# (TYPE|UNIT|HELP|EOF).*|[a-z0-9_]+(\\{[a-z0-9_]+=\"[^\"]*\"\\})? -?[0-9]+(\\.[0-9]+)?");
        }
        assertThat(DoctorMetrics.of(unseen()).text()).doesNotContain("NaN").contains("kiln_jvm_warm 0\n");
    }

    /** Samples of one name stand together, as the format asks, and each tells its JVM. */
    @Test
    void metricsOfAllJvmsTellThemApart() {
        DoctorSubject other = starved();
        LiveProcess there = other.process();
        LiveProcess pod = new LiveProcess(
                4712,
                1,
                1,
                "app",
                there.container(),
                Optional.of(new LiveProcess.Pod(
                        "0c1d2e3f-0011-2233-4455-66778899aabb", Optional.of("shop-7d9f"), Optional.of("shop"))),
                "a \"b\\c\n",
                1,
                1);
        String text = DoctorMetrics.of(
                        List.of(starved(), new DoctorSubject(pod, other.diagnosis(), List.of()), unseen()), 12.5, 3.25)
                .text();
        assertThat(text)
                .startsWith("# TYPE kiln_jvms gauge\n")
                .endsWith("# EOF\n")
                .contains(
                        "kiln_jvms{state=\"starved\"} 2\n",
                        "kiln_jvms{state=\"unknown\"} 1\n",
                        "kiln_jvm_warm{pid=\"4711\",command=\"app.jar\",container_id=\"0123456789ab\"} 0\n"
                                + "kiln_jvm_warm{pid=\"4712\",command=\"a \\\"b\\\\c\\n\",container_id=\"0123456789ab\","
                                + "pod_uid=\"0c1d2e3f-0011-2233-4455-66778899aabb\",pod=\"shop-7d9f\",namespace=\"shop\"} 0\n"
                                + "kiln_jvm_warm{pid=\"1\",command=\"java\"} 0\n",
                        "pid=\"4711\",command=\"app.jar\",container_id=\"0123456789ab\",compiler=\"C2\"} 412\n",
                        "kiln_doctor_round_seconds 12.5\n",
                        "kiln_doctor_cpu_seconds_total 3.25\n");
        List<String> heads =
                text.lines().filter(line -> line.startsWith("# TYPE ")).toList();
        assertThat(heads).doesNotHaveDuplicates();
    }

    /** As in the examples of the protocol's JSON encoding. */
    @Test
    void theCollectorGetsTheSame() {
        JsonNode json = JsonMapper.shared()
                .readTree(OtlpMetrics.render(
                        DoctorMetrics.of(List.of(starved()), 12.5, 3.25),
                        "1.2",
                        "node-1",
                        1_700_000_000_000L,
                        1_700_000_060_000L));
        JsonNode all = json.at("/resourceMetrics/0");
        assertThat(all.at("/resource/attributes").toString())
                .contains("{\"key\":\"host.name\",\"value\":{\"stringValue\":\"node-1\"}}");
        JsonNode metrics = all.at("/scopeMetrics/0/metrics");
        JsonNode c2 = named(metrics, "kiln_jvm_c2_cpu_cores");
        assertThat(c2.path("unit").asString()).isEqualTo("{cores}");
        JsonNode point = c2.at("/gauge/dataPoints/0");
        assertThat(point.path("asDouble").asDouble()).isEqualTo(0.03);
        assertThat(point.path("timeUnixNano").asString()).isEqualTo("1700000060000000000");
        assertThat(point.path("attributes").toString())
                .contains("{\"key\":\"pid\",\"value\":{\"stringValue\":\"4711\"}}");
        JsonNode own = named(metrics, "kiln_doctor_cpu_seconds");
        assertThat(own.at("/sum/isMonotonic").asBoolean()).isTrue();
        assertThat(own.at("/sum/aggregationTemporality").asInt()).isEqualTo(2);
        assertThat(own.at("/sum/dataPoints/0/startTimeUnixNano").asString()).isEqualTo("1700000000000000000");
        assertThat(named(metrics, "kiln_jvm_state").at("/gauge/dataPoints").size())
                .isEqualTo(LiveState.values().length);
    }

    private static JsonNode named(JsonNode metrics, String name) {
        return metrics.valueStream()
                .filter(metric -> metric.path("name").asString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void dashboardAndReferenceNameWhatIsServed() throws Exception {
        Set<String> served = names(DoctorMetrics.of(starved()).text());
        String dashboard = Files.readString(ROOT.resolve("deploy/grafana-dashboard.json"));
        assertThat(JsonMapper.shared().readTree(dashboard).path("panels").size())
                .isPositive();
        assertThat(names(dashboard)).isEqualTo(served);
        assertThat(names(Files.readString(ROOT.resolve("docs/reference/doctor.md"))))
                .isEqualTo(served);
    }

    private static Set<String> names(String text) {
        Set<String> names = new TreeSet<>();
        Pattern.compile("kiln_jvm_[a-z0-9_]+").matcher(text).results().forEach(found -> names.add(found.group()));
        return names;
    }
}
