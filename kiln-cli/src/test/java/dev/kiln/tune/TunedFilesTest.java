package dev.kiln.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.compare.Circumstance;
import dev.kiln.compare.Configuration;
import dev.kiln.compare.Measured;
import dev.kiln.compare.Measured.Observation;
import dev.kiln.compare.Quantity;
import dev.kiln.model.Metric;
import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Modifier.CompilerPriority;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.AotCache;
import dev.kiln.model.experiment.Target.Jvm;
import dev.kiln.model.experiment.Target.Program;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Where;
import dev.kiln.plan.Changes;
import dev.kiln.report.TerminalStyle;
import dev.kiln.stats.Student.PairedRatio;
import dev.kiln.tune.Tuning.Boost;
import dev.kiln.tune.Tuning.CauseShare;
import dev.kiln.tune.Tuning.Tried;
import dev.kiln.tune.Tuning.TuneProof;
import dev.kiln.tune.Tuning.TuneVerdict;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

class TunedFilesTest {
    private static final ReadySign READY = new ReadySign.FirstResponse(Duration.ofSeconds(1));
    static final Variant BASELINE = variant("baseline", List.of("-Xmx1g"), Optional.empty(), Map.of(), List.of());

    static final Variant CURED = variant(
            "cured",
            List.of("-Xmx1g", "-Dgreeting=it's"),
            Optional.of(new AotCache.Traffic(Duration.ofSeconds(20))),
            Map.of("WARM", "a \"quote\""),
            List.of(new CompilerPriority(CompilerPriority.ModifiedBy.AUTO)));

    private static Variant variant(
            String name,
            List<String> flags,
            Optional<AotCache> aot,
            Map<String, String> environment,
            List<Modifier> modifiers) {
        return new Variant(
                name,
                new Target(
                        new Program(List.of("java", "-jar", "app.jar"), List.of(), environment, Optional.empty()),
                        new Jvm(Optional.empty(), flags, List.of(), aot),
                        READY,
                        modifiers,
                        new Where.Here(),
                        List.of()));
    }

    static Configuration figures(String name, double deficit) {
        List<Observation> runs = IntStream.rangeClosed(1, 5)
                .mapToObj(block -> new Observation(block, deficit + block * 0.1, false))
                .toList();
        return new Configuration(
                name,
                new Configuration.Origin(Optional.of("x"), "x", name),
                List.of(new Circumstance.Host("Xeon", 2, 8, "6.18", "EEVDF")),
                List.of(
                        new Measured(Quantity.of(Metric.WARMUP_COST), runs),
                        new Measured(
                                Quantity.of(Metric.T90),
                                List.of(
                                        new Observation(1, 22.4, false),
                                        new Observation(2, 60, !name.equals("cured")))),
                        new Measured(
                                Quantity.of(Metric.START),
                                List.of(new Observation(1, 7, false), new Observation(2, 8, false)))),
                List.of(),
                false,
                List.of());
    }

    static Tuning tuning() {
        return tuning("cured");
    }

    private static Tuning tuning(String figures) {
        Candidate cured = new Candidate(
                CURED, Optional.empty(), List.of("C2 starved of CPU"), Optional.of("needs CAP_SYS_NICE"), List.of());
        PairedRatio effect = PairedRatio.of(
                new double[] {30.1, 30.2, 30.3, 30.4, 30.5}, new double[] {10.1, 10.2, 10.3, 10.4, 10.5}, 0.99);
        return new Tuning(
                TuneVerdict.IMPROVED,
                Goal.DEFICIT,
                "cured is better",
                figures("baseline", 30),
                Optional.of(new TuneProof(
                        cured,
                        "5-proof-cured",
                        figures(figures, 10),
                        OptionalDouble.of(30.3),
                        OptionalDouble.of(10.3),
                        false,
                        Optional.of(effect),
                        Optional.of(PairedRatio.of(new double[] {100, 101, 99}, new double[] {98, 100, 99}, 0.99)),
                        List.of(
                                new CauseShare(Optional.of("C2 starved of CPU"), "cured", 20, 19, 21),
                                new CauseShare(Optional.empty(), "cured", 10.3, 10.1, 10.5)))),
                List.of(new Tried(cured, 7, Optional.of(19.5), Optional.empty(), Optional.of("proven"))),
                Optional.empty());
    }

    static final Map<String, String> TEXTS =
            new TunedFiles(BASELINE, tuning(), Path.of("results/tune"), Secrets.HIDDEN).texts();

    @Test
    void eachSaysWhichRunsProveItAndOnWhatMachine() {
        assertThat(TEXTS)
                .containsOnlyKeys(
                        "service.env", "systemd.conf", "kubernetes.yaml", "Dockerfile", "istio.yaml", "envoy.yaml");
        TEXTS.values()
                .forEach(text -> assertThat(text)
                        .contains(
                                "# Proven by the runs in results/tune/5-proof-cured:\n",
                                "# Improved: with cured",
                                "# Measured with hosts: Xeon, 2 CPUs, 8 GiB, kernel 6.18, EEVDF\n",
                                "# It costs: needs CAP_SYS_NICE\n"));
    }

    @Test
    void aBoostIsHandedOverForBothOperatorsOfKubernetes() {
        Tuning plain = tuning();
        Boost boost = new Boost(
                new Modifier.BoostedStart(1.5, 0.5, Optional.of(Duration.ofSeconds(32))),
                Optional.of("6-boost"),
                true,
                List.of(
                        new Boost.BoostStep(42, OptionalDouble.of(99)),
                        new Boost.BoostStep(32, OptionalDouble.of(97)),
                        new Boost.BoostStep(22, OptionalDouble.of(81))));
        TuneProof cured = plain.winner().orElseThrow();
        Variant boosted = variant("boosted", List.of("-Xmx1g"), Optional.empty(), Map.of(), List.of(boost.modifier()));
        Tuning tuning = new Tuning(
                plain.verdict(),
                plain.goal(),
                plain.why(),
                plain.baseline(),
                Optional.of(new TuneProof(
                        cured.candidate().with(boosted),
                        cured.stage(),
                        cured.figures(),
                        cured.before(),
                        cured.after(),
                        false,
                        cured.effect(),
                        cured.peak(),
                        cured.shares())),
                plain.tried(),
                Optional.of(boost));
        Map<String, String> texts = new TunedFiles(BASELINE, tuning, Path.of("results/tune"), Secrets.HIDDEN).texts();
        JsonNode patch = new YAMLMapper()
                .readTree(Optional.ofNullable(texts.get("kubernetes.yaml")).orElseThrow());
        assertThat(patch.at("/spec/template/spec/containers/0/resources/limits/cpu")
                        .asString())
                .isEqualTo("500m");
        String startup =
                Optional.ofNullable(texts.get("startup-cpu-boost.yaml")).orElseThrow();
        assertThat(startup)
                .contains(
                        "# A boost of 32 s after the launch is the shortest tried with 95 % of the peak after its end:"
                                + " 42 s 99 %, 32 s 97 %, 22 s 81 % (runs in 6-boost).\n");
        JsonNode object = new YAMLMapper().readTree(startup);
        assertThat(startup).contains("Its time begins when the pod is scheduled");
        assertThat(object.get("kind").asString()).isEqualTo("StartupCPUBoost");
        assertThat(object.at("/spec/resourcePolicy/containerPolicies/0/percentageIncrease/value")
                        .asInt())
                .isEqualTo(200);
        assertThat(object.at("/spec/durationPolicy/fixedDuration/value").asInt())
                .isEqualTo(32);
        JsonNode scaler = new YAMLMapper()
                .readTree(Optional.ofNullable(texts.get("vertical-pod-autoscaler.yaml"))
                        .orElseThrow());
        assertThat(scaler.at("/spec/updatePolicy/updateMode").asString()).isEqualTo("Off");
        assertThat(scaler.at("/spec/startupBoost/cpu/factor").asInt()).isEqualTo(3);
        assertThat(scaler.at("/spec/startupBoost/cpu/durationSeconds").asInt()).isEqualTo(24);
        JsonNode json = JsonMapper.builder().build().readTree(TuneJson.render(tuning, BASELINE, Optional.empty()));
        assertThat(json.at("/boost/seconds").asInt()).isEqualTo(32);
        assertThat(json.at("/boost/steps/2/afterPct").asDouble()).isEqualTo(81);
    }

    @Test
    void theEnvironmentHasWhatTheBaselineHasNot() {
        assertThat(TEXTS.get("service.env"))
                .endsWith(
                        "\nJAVA_TOOL_OPTIONS=-Dgreeting=\"it's\" -XX:ThreadPriorityPolicy=1 -XX:CompilerThreadPriority=-20"
                                + " -XX:AOTCache=/app/app.aot\nWARM=a \"quote\"\n");
    }

    /** As bytes of the JVM's own parser: it splits at blanks outside quotes, and takes the quotes away. */
    @Test
    void aFlagWithAQuoteReachesTheJvmAsItIs() throws Exception {
        String options = Optional.ofNullable(TEXTS.get("service.env"))
                .orElseThrow()
                .lines()
                .filter(line -> line.startsWith("JAVA_TOOL_OPTIONS="))
                .findFirst()
                .orElseThrow();
        ProcessBuilder jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XshowSettings:properties",
                        "-version")
                .redirectErrorStream(true);
        jvm.environment()
                .put(
                        "JAVA_TOOL_OPTIONS",
                        options.substring(options.indexOf('=') + 1).replaceFirst(" .*", ""));
        Process process = jvm.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).contains("greeting = it's");
    }

    static Tuning tuning(Candidate cured) {
        Tuning plain = tuning();
        TuneProof proof = plain.winner().orElseThrow();
        return new Tuning(
                plain.verdict(),
                plain.goal(),
                plain.why(),
                plain.baseline(),
                Optional.of(new TuneProof(
                        cured,
                        proof.stage(),
                        proof.figures(),
                        proof.before(),
                        proof.after(),
                        false,
                        proof.effect(),
                        proof.peak(),
                        proof.shares())),
                plain.tried(),
                Optional.empty());
    }

    static Tuning tuning(Variant cured) {
        return tuning(tuning().winner().orElseThrow().candidate().with(cured));
    }

    static Map<String, String> texts(Variant baseline, Variant cured) {
        return new TunedFiles(baseline, tuning(cured), Path.of("results/tune"), Secrets.HIDDEN).texts();
    }

    static Variant of(List<String> command, List<String> flags, Modifier... modifiers) {
        return new Variant(
                "v",
                new Target(
                        new Program(command, List.of(), Map.of(), Optional.empty()),
                        new Jvm(Optional.empty(), flags, List.of(), Optional.empty()),
                        READY,
                        List.of(modifiers),
                        new Where.Here(),
                        List.of()));
    }

    /** Kiln reniced it from outside: flags were not proven. */
    @Test
    void favouredCompilersOfAScriptAreNoFlags() {
        List<String> script = List.of("./start.sh");
        Map<String, String> texts = texts(
                of(script, List.of()), of(script, List.of(), new CompilerPriority(CompilerPriority.ModifiedBy.AUTO)));
        assertThat(texts.get("service.env"))
                .contains("favoured from outside, with renice")
                .doesNotContain("ThreadPriorityPolicy");
        assertThat(texts.get("systemd.conf")).doesNotContain("AmbientCapabilities");
    }

    /** A search found the cure of a service that catalina.sh starts, and handed over files that set nothing. */
    @Test
    void favouredCompilersOfASearchAreFlagsInTheEnvironmentOfAScript() {
        Variant baseline = of(List.of("./start.sh"), List.of());
        Variant cured = Changes.of(
                baseline, "compiler-priority", Change.with(new CompilerPriority(CompilerPriority.ModifiedBy.AUTO)));
        Map<String, String> texts = texts(baseline, cured);
        assertThat(texts.get("service.env"))
                .containsPattern(
                        "\nJAVA_TOOL_OPTIONS=(.* )?-XX:ThreadPriorityPolicy=1 -XX:CompilerThreadPriority=-20\n$")
                .containsOnlyOnce("-XX:CompilerThreadPriority=-20\n")
                .doesNotContain("from outside");
        assertThat(texts.get("systemd.conf")).contains("AmbientCapabilities=CAP_SYS_NICE");
    }

    @Test
    void flagsOfAScriptAreItsEnvironment() {
        Variant baseline = of(List.of("./start.sh"), List.of());
        Variant cured = Changes.of(baseline, "xbatch", Change.with(new Modifier.XBatch()));
        assertThat(texts(baseline, cured).get("service.env"))
                .contains("# If the service has JAVA_TOOL_OPTIONS already, add these flags to them.")
                .containsPattern("\nJAVA_TOOL_OPTIONS=(.* )?-Xbatch\n$");
        assertThat(TuneText.terminal(tuning(cured), baseline, TerminalStyle.plain())
                        .replaceAll("\\s+", " "))
                .containsPattern("\\(environment JAVA_TOOL_OPTIONS=[^)]*-Xbatch\\)")
                .contains("The flags reach the JVM that ./start.sh starts by JAVA_TOOL_OPTIONS in its environment;");
        assertThat(TuneText.terminal(tuning(), BASELINE, TerminalStyle.plain())).doesNotContain("reach the JVM");
    }

    /** The command line wins over the variable. */
    @Test
    void whatContradictsTheCureOnTheCommandLineIsNamed() {
        Map<String, String> texts = texts(
                of(List.of("java", "-Xmx512m", "-jar", "app.jar"), List.of("-XX:+UseSerialGC")),
                of(List.of("java", "-jar", "app.jar"), List.of("-Xmx1024m", "-XX:+UseParallelGC")));
        assertThat(texts.get("service.env"))
                .contains("# Remove -Xmx512m from the command line", "# Remove -XX:+UseSerialGC from the command line")
                .endsWith("\nJAVA_TOOL_OPTIONS=-Xmx1024m -XX:+UseParallelGC\n");
    }

    @Test
    void systemdGetsTheLimitsOfTheCure() {
        List<String> java = List.of("java", "-jar", "app.jar");
        Map<String, String> texts = texts(
                of(java, List.of()),
                of(java, List.of(), new Modifier.CpuQuota(1.5), new Modifier.MemoryLimit(1L << 30)));
        assertThat(texts.get("systemd.conf")).endsWith("[Service]\nCPUQuota=150%\nMemoryMax=1073741824\n");
    }

    @Test
    void systemdGetsTheCapability() {
        assertThat(TEXTS.get("systemd.conf"))
                .endsWith("Environment=\"WARM=a \\\"quote\\\"\"\nAmbientCapabilities=CAP_SYS_NICE\n");
    }

    @Test
    void kubernetesGetsAPatchThatIsYaml() {
        JsonNode container = new YAMLMapper()
                .readTree(Optional.ofNullable(TEXTS.get("kubernetes.yaml")).orElseThrow())
                .at("/spec/template/spec/containers/0");
        assertThat(container.at("/env/0/value").asString()).startsWith("-Dgreeting=\"it's\" ");
        assertThat(container.at("/env/1/value").asString()).isEqualTo("a \"quote\"");
        assertThat(container.at("/securityContext/capabilities/add/0").asString())
                .isEqualTo("SYS_NICE");
    }

    @Test
    void theStartupProbeWaitsForTheSlowestStart() {
        JsonNode probe = new YAMLMapper()
                .readTree(Optional.ofNullable(TEXTS.get("kubernetes.yaml")).orElseThrow())
                .at("/spec/template/spec/containers/0/startupProbe");
        assertThat(TEXTS.get("kubernetes.yaml")).contains("the first response came after at most 8.00 s");
        assertThat(probe.get("periodSeconds").asInt()).isEqualTo(1);
        assertThat(probe.get("failureThreshold").asInt()).isEqualTo(30);
        assertThat(probe.get("httpGet").get("path").asString()).isEqualTo("/PATH");
    }

    @Test
    void aSlowStartIsAsLongAsTheSlowestWarmup() {
        JsonNode rule = new YAMLMapper()
                .readTree(Optional.ofNullable(TEXTS.get("istio.yaml")).orElseThrow());
        assertThat(rule.at("/spec/trafficPolicy/loadBalancer/warmup/duration").asString())
                .isEqualTo("60s");
        JsonNode clusters = new YAMLMapper()
                .readTree(Optional.ofNullable(TEXTS.get("envoy.yaml")).orElseThrow());
        assertThat(clusters.at("/clusters/0/least_request_lb_config/slow_start_config/slow_start_window")
                        .asString())
                .isEqualTo("60s");
        assertThat(new TunedFiles(BASELINE, tuning("never at its peak"), Path.of("results/tune"), Secrets.HIDDEN)
                        .texts())
                .doesNotContainKeys("istio.yaml", "envoy.yaml");
    }

    @Test
    void theCacheIsTrainedInAStage() {
        assertThat(TEXTS.get("Dockerfile"))
                .contains(
                        "FROM IMAGE AS training\n",
                        "-XX:AOTCacheOutput=/app/app.aot -Xmx1g '-Dgreeting=it'\\''s' -jar app.jar & service=$!;")
                .contains("COPY --from=training /app/app.aot /app/app.aot\n");
    }

    /** It said app.jar of a service that has none. */
    @Test
    void aServiceWithAClassPathIsTrainedWithIt() {
        Variant baseline = of(List.of("java", "-cp", "lib/*", "org.example.Main"), List.of());
        Variant cured = Changes.of(baseline, "aot", Change.with(new AotCache.Traffic(Duration.ofSeconds(20))));
        assertThat(texts(baseline, cured).get("Dockerfile"))
                .contains("CLASSPATH and MAIN are those of your command.", " -cp CLASSPATH MAIN & service=$!;")
                .doesNotContain("app.jar");
    }

    /** Below a tenth of a second a ratio has nothing to stand on. */
    @Test
    void aWarmupThatCostsNothingHasNoExactRatio() {
        Tuning tuning = tuning();
        TuneProof proof = tuning.winner().orElseThrow();
        TuneProof none = new TuneProof(
                proof.candidate(),
                proof.stage(),
                proof.figures(),
                proof.before(),
                OptionalDouble.of(Tuning.NOTHING_SECONDS),
                false,
                Optional.of(PairedRatio.of(new double[] {10, 11, 12}, new double[] {0.1, 0.1, 0.1}, 0.99)),
                proof.peak(),
                List.of());
        Tuning found = new Tuning(
                tuning.verdict(),
                tuning.goal(),
                tuning.why(),
                tuning.baseline(),
                Optional.of(none),
                tuning.tried(),
                Optional.empty());
        assertThat(TuneText.sentence(found, BASELINE))
                .contains("the warm-up cost is at most 0.10 s instead of 30.3 s, at most 0.02 times as much");
    }

    @Test
    void oneSentenceOneTableAndWhatExplainsTheLoss() {
        String text = TuneText.terminal(tuning(), BASELINE, TerminalStyle.plain());
        assertThat(text)
                .contains(
                        "Improved: with cured (JVM flags -Dgreeting=it's, compiler-priority, AOT cache trained by"
                                + " traffic, environment WARM=a \"quote\") the warm-up cost is 10.3 s instead of 30.3 s, 0.34 (")
                .contains("in 5 pairs of fresh runs.")
                .contains("+19.5 s", "proven", "needs CAP_SYS_NICE");
        assertThat(text).contains("Its peak is 0.99 (");
        assertThat(text.replaceAll("\\s+", " "))
                .contains(
                        "Of the warm-up cost, in seconds at the peak: cured saves 20.0 s (19.0 to 21.0; C2 starved of CPU), 10.3 s (10.1"
                                + " to 10.5) are still lost.");
    }

    @Test
    void jsonHasTheSame() {
        JsonNode json = JsonMapper.builder()
                .build()
                .readTree(TuneJson.render(
                        tuning(),
                        BASELINE,
                        Optional.of(new HandedOver(Path.of("results/tune/tuned"), Optional.empty(), List.of()))));
        assertThat(json.get("verdict").asString()).isEqualTo("improved");
        assertThat(json.at("/baseline/deficitSeconds").asDouble()).isEqualTo(30.3);
        assertThat(json.at("/baseline/timeToReferencePeak").isNull()).isTrue();
        assertThat(json.at("/winner/name").asString()).isEqualTo("cured");
        assertThat(json.at("/effect/metric").asString()).isEqualTo("warm-up-cost");
        assertThat(json.at("/effect/pairs").asInt()).isEqualTo(5);
        assertThat(json.at("/shares/1/cause").isNull()).isTrue();
        assertThat(json.at("/tried/0/outcome").asString()).isEqualTo("proven");
        assertThat(json.get("tuned").asString()).isEqualTo("results/tune/tuned");
    }
}
