package dev.kiln.it;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.fixtures.Curve;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.testing.FullRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Against targets whose capacity over time is known: what Kiln says is true. */
@FullRun
@Isolated("measures")
final class CurvesIT {
    /** Another one if the tests are run again. */
    @SuppressWarnings("NullAway.Init")
    private static Sandbox sandbox;

    /** A bin, and with it the resolution of a time, is a second. */
    private static final double RESOLUTION_SECONDS = 1;

    private static final Percentage TWO_PERCENT = Percentage.withPercentage(2);

    @AfterAll
    static void leaveNothing() {
        sandbox.awaitNoProcess();
        sandbox.close();
    }

    private static final String STEP = "step:at=3,from=200,to=600";
    private static final String RAMP = "ramp:start=1,end=4,from=150,to=600";
    /** Not from half of its peak: noise would decide whether it came to half. */
    private static final String JUMP = "plateau-then-jump:from=400,to=600,pause=1";

    private static final String SETTLING = "protocol: [{load: 15s}, {pause: 2s}, {load: 18s}]";
    private static final Experiment STEPPING = new Experiment("stepping", STEP, SETTLING);
    private static final Experiment RAMPING = new Experiment("ramping", RAMP, SETTLING);
    private static final Experiment JUMPING = new Experiment("jumping", JUMP, SETTLING);

    private static final String NEVER =
            "points:0=200,6=200,6=600,12=600,12=200,18=200,18=600,24=600,24=200,30=200,30=600,36=600,36=200,42=200";
    private static final Experiment RESTLESS = new Experiment("restless", NEVER, "protocol: [{load: 42s}]");

    private static final Experiment SEARCHED =
            new Experiment("searched", JUMP, "protocol: [{load: 5s}, {reference: until-found}]");

    private static final Map<Experiment, Kiln> STARTED = new HashMap<>();

    private record Experiment(String name, String curve, String protocol) {}

    /**
     * Side by side: each takes a few hundredths of the machine, and they are told if that was too much. Far more is taken by
     * the start of a JVM and by a load that begins: so all JVMs start before, and loads begin one after the other.
     */
    @BeforeAll
    static void startAll() throws InterruptedException {
        sandbox = new Sandbox();
        List<Experiment> all = List.of(STEPPING, RAMPING, JUMPING, RESTLESS, SEARCHED);
        // A load driver that compiles disturbs the others.
        String usual = System.setProperty(Sandbox.WARM_UP, "5");
        for (Experiment experiment : all) {
            STARTED.put(experiment, start(experiment));
        }
        System.setProperty(Sandbox.WARM_UP, usual == null ? "5" : usual);
        Waiting.until(
                "all targets to be there",
                () -> sandbox.pids("CurveServer --port").size() == all.size()
                        || !STARTED.values().stream().allMatch(Kiln::isAlive));
        for (Experiment experiment : all) {
            Thread.sleep(2000);
            sandbox.file(begin(experiment), "");
        }
    }

    @Test
    void aStep() throws Exception {
        JsonNode stepped = variant(STEPPING);

        assertThroughput(stepped, Curve.parse(STEP));
        assertTimeToReferencePeak(stepped, Curve.parse(STEP), 600);
    }

    @Test
    void aRamp() throws Exception {
        JsonNode ramped = variant(RAMPING);

        assertThroughput(ramped, Curve.parse(RAMP));
        assertTimeToReferencePeak(ramped, Curve.parse(RAMP), 600);
    }

    @Test
    void aPlateauThatJumpsAfterThePause() throws Exception {
        JsonNode variant = variant(JUMPING);

        JsonNode jumped = run(variant);
        assertThat(variant.at("/referencePeak/value").asDouble()).isCloseTo(600, TWO_PERCENT);
        assertThat(jumped.at("/phases/0/throughput").asDouble()).isCloseTo(400, TWO_PERCENT);
        assertThat(jumped.at("/phases/2/throughput").asDouble()).isCloseTo(600, TWO_PERCENT);
        assertThat(jumped.at("/cooldownJump").asDouble()).isCloseTo(1.5, TWO_PERCENT);
        assertThat(jumped.at("/timeToReferencePeak/90").isNull())
                .as("it only came to two thirds of its peak")
                .isTrue();
        assertThat(jumped.at("/timeToReferencePeak/50").asDouble()).isCloseTo(0, within(RESOLUTION_SECONDS));
    }

    @Test
    void oneThatNeverSettlesIsCycling() throws Exception {
        JsonNode variant = variant(RESTLESS);
        JsonNode run = run(variant);
        assertThroughput(variant, Curve.parse(NEVER));
        assertThat(run.at("/verdict").asString()).isEqualTo("cycling");
        assertThat(run.at("/verdictReasons/0").asString())
                .containsPattern("changes between \\d+ and \\d+ req/s about every 1[123]");
        assertThat(variant.at("/referencePeak").isNull()).isTrue();
        for (String percent : List.of("50", "90", "95", "99")) {
            assertThat(run.at("/timeToReferencePeak").path(percent).isNumber()).isFalse();
        }
    }

    @Test
    void aReferenceIsLookedForUntilTheLevelRisesNoMore() throws Exception {
        JsonNode variant = variant(SEARCHED);
        List<String> phases = new ArrayList<>();
        run(variant).get("phases").forEach(phase -> phases.add(phase.get("name").asString()));
        assertThat(phases)
                .as("the first round rises far over the warm-up, the second rises no more")
                .startsWith("warmup", "pause-r1", "reference-1", "pause-r2", "reference-2")
                .as("a third only where other programs disturbed the second")
                .hasSizeLessThanOrEqualTo(7);
        assertThat(variant.at("/referencePeak/value").asDouble()).isCloseTo(600, TWO_PERCENT);
        assertThat(variant.at("/referencePeak/lowerBound").asBoolean()).isFalse();
    }

    private static Kiln start(Experiment experiment) {
        // So many requests are under way that the target is never idle, not even while its driver waits for a CPU.
        String yaml = """
                target:
                  command: %s --curve %s --start-after %s
                load:
                  url: http://localhost:${port}/
                  connections: 200
                runs: 1
                %s
                """.formatted(
                        Kiln.CURVE_SERVER,
                        experiment.curve(),
                        sandbox.root().resolve(begin(experiment)),
                        experiment.protocol());
        return Kiln.start(
                sandbox,
                "run",
                sandbox.file(experiment.name() + ".yaml", yaml).toString(),
                "--results",
                sandbox.results().toString(),
                "--json",
                json(experiment).toString());
    }

    private static String begin(Experiment experiment) {
        return experiment.name() + ".begin";
    }

    private static Path json(Experiment experiment) {
        return sandbox.root().resolve(experiment.name() + ".json");
    }

    private static JsonNode variant(Experiment experiment) throws Exception {
        Answer answer = requireNonNull(STARTED.get(experiment)).end();
        assertThat(answer.humane()).as(answer.err()).isTrue();
        JsonNode variants = JsonMapper.builder()
                .build()
                .readTree(Files.readString(json(experiment)))
                .get("variants");
        assertThat(variants).hasSize(1);
        assertOnlyOthersAreToBlame(variants.get(0), answer);
        return variants.get(0);
    }

    /** A crowded machine makes a run invalid, and rightly. */
    private static void assertOnlyOthersAreToBlame(JsonNode variant, Answer answer) {
        List<String> reasons = new ArrayList<>();
        run(variant).get("invalidReasons").forEach(reason -> reasons.add(reason.asString()));
        assertThat(reasons).as(answer.out()).allMatch(Kiln::blamesTheMachine);
        assertThat(run(variant).get("errors").asLong()).isZero();
        // What a crowded machine did to the figures is unknown; that Kiln says so is all there is to see.
        assumeTrue(reasons.isEmpty(), () -> "the machine is too crowded: " + reasons);
    }

    private static JsonNode run(JsonNode variant) {
        assertThat(variant.get("runs")).hasSize(1);
        return variant.get("runs").get(0);
    }

    /** The curve began with the first request that was answered: the probe's, before the first phase. */
    private static double curveSeconds(JsonNode run, double secondsSinceLaunch) {
        return secondsSinceLaunch - run.get("firstResponseSeconds").asDouble();
    }

    private static void assertThroughput(JsonNode variant, Curve curve) {
        JsonNode run = run(variant);
        for (JsonNode phase : run.get("phases")) {
            if (phase.get("load").asBoolean()) {
                double start = curveSeconds(run, phase.get("startSeconds").asDouble());
                double seconds = phase.get("durationSeconds").asDouble();
                double truth = (curve.integral(start + seconds) - curve.integral(start)) / seconds;
                assertThat(phase.get("throughput").asDouble())
                        .as(variant.get("name") + " " + phase.get("name"))
                        .isCloseTo(truth, TWO_PERCENT);
            }
        }
    }

    private static void assertTimeToReferencePeak(JsonNode variant, Curve curve, double peak) {
        assertThat(variant.at("/referencePeak/value").asDouble()).isCloseTo(peak, TWO_PERCENT);
        JsonNode run = run(variant);
        double begin = curveSeconds(run, run.at("/phases/0/startSeconds").asDouble());
        for (int percent : new int[] {50, 90, 95, 99}) {
            double truth = curve.timeToFraction(percent / 100.0, peak).orElseThrow() - begin;
            // Noise of one percent decides when 99 % is reached: there the interval says what is known.
            JsonNode interval = run.at("/timeToReferencePeakInterval/" + percent);
            boolean noisy = percent == 99 && interval.path("lo").isNumber();
            double value = run.at("/timeToReferencePeak/" + percent).asDouble();
            boolean open = noisy && !interval.path("hi").isNumber(); // it may be after the load
            double latest = open ? Double.MAX_VALUE : noisy ? interval.get("hi").asDouble() : value;
            assertThat(truth)
                    .as(variant.get("name") + " T" + percent + " " + value + " " + interval)
                    .isBetween(
                            (noisy ? interval.get("lo").asDouble() : value) - RESOLUTION_SECONDS,
                            latest + RESOLUTION_SECONDS);
        }
    }
}
