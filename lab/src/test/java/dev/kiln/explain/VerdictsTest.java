package dev.kiln.explain;

import static dev.kiln.explain.HandMade.assess;
import static dev.kiln.explain.HandMade.measured;
import static dev.kiln.explain.HandMade.seconds;
import static dev.kiln.explain.HandMade.then;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.model.RunInfo.Outcome;
import dev.kiln.model.Verdict;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Goldens;
import dev.kiln.stats.SeriesAnalyzer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class VerdictsTest {
    private static final double[] PLATEAU = then(then(seconds(10, 1500), seconds(20, 2400)), seconds(90, 2900));

    @Test
    void aPlateauWithStarvedCompilersIsFalse() {
        assertThat(verdict(longer(PLATEAU, 3000).starved()))
                .isEqualTo(new Verdict.FalsePlateau(
                        List.of("C2 got 3.0 % of a CPU and waited for one 97.0 % of the time in"
                                + " the last 15 s of the load")));
    }

    @Test
    void theSamePlateauWithQuietCompilersIsAPeak() {
        assertThat(verdict(longer(PLATEAU, 3000))).isEqualTo(new Verdict.Peaked(false));
    }

    @Test
    void thePublishedPlateauWithStarvedCompilersIsFalseAndWithQuietOnesAPeak() throws IOException {
        Published run = published();

        assertThat(verdict(longer(run.warmup(), run.measure()).starved())).isInstanceOf(Verdict.FalsePlateau.class);
        assertThat(verdict(longer(run.warmup(), run.measure()))).isEqualTo(new Verdict.Peaked(false));
    }

    private record Published(double[] warmup, double[] measure) {}

    private static Published published() throws IOException {
        Optional<Path> file = Goldens.publishedDirectory()
                .map(golden -> golden.resolveSibling("public-runs").resolve("spring4-leyden-0.csv"))
                .filter(Files::exists);
        assumeTrue(file.isPresent(), "the published runs are not there: no ../shared/public-runs beside mvnw");
        List<String[]> rows = Files.readAllLines(file.orElseThrow()).stream()
                .skip(1)
                .map(line -> line.split(",", -1))
                .toList();
        return new Published(column(rows, true), column(rows, false));
    }

    private static double[] column(List<String[]> rows, boolean warmup) {
        return rows.stream()
                .filter(row -> row[0].equals("warmup") == warmup)
                .mapToDouble(row -> Double.parseDouble(row[3]))
                .toArray();
    }

    /** A service whose warm-up may have any length: its evidence goes on to the end of the run. */
    private static Service longer(double[] warmup, double... measured) {
        double[] after = measured.length == 1 ? seconds(30, measured[0]) : measured;
        HandMade made = new HandMade("a", 1);
        made.backlog = 100;
        made.load("warmup", 10, warmup).pause("pause", 15).load("measure", 25 + warmup.length, after);
        return new Service(made).until(10 + warmup.length, 25 + warmup.length, 25 + warmup.length + after.length);
    }

    private static Verdict verdict(Service service) {
        Assessment assessment = new Assessment(AnalysisConfig.defaults());
        assessment.add(service.evidence());
        return only(assessment.result("by hand")).explanation().verdict();
    }

    private static RunResult only(ExperimentResult result) {
        return result.variants().getFirst().runs().getFirst();
    }

    private static Verdict verdict(HandMade... runs) {
        return only(assess(runs)).explanation().verdict();
    }

    @Test
    void aLongQueueIsNoPeakEither() {
        Service service = longer(PLATEAU, 2900);
        service.queue = 150;

        assertThat(verdict(service)).isEqualTo(new Verdict.FalsePlateau(List.of("150 methods waited for C2")));
    }

    @Test
    void methodsStuckAtTier2AreNoPeak() {
        Service service = longer(PLATEAU, 2900);
        service.level3 = 5;
        service.queue = 20;
        service.made.flags = List.of("-XX:+AOTReplayTraining");

        assertThat(verdict(service))
                .isEqualTo(
                        new Verdict.FalsePlateau(
                                List.of(
                                        "methods stuck at tier 2 (JDK-8386852): level 3 is 0.8 % of the"
                                                + " methods at levels 2 and 3 (0.8 % at the start of the window), with 20 methods waiting for C2")));
    }

    @Test
    void aSteadyLevelBelowTheReferenceIsAFalsePlateau() {
        assertThat(verdict(measured("a", 1000, seconds(60, 900))))
                .isEqualTo(new Verdict.FalsePlateau(
                        List.of("it is steady at 900 req/s, 90 % of the reference peak of 1,000")));
        assertThat(verdict(measured("a", 1000, seconds(60, 960)))).isEqualTo(new Verdict.Peaked(true));
    }

    @Test
    void withoutEvidenceOfTheCompilersItPeakedByThroughputAlone() {
        assertThat(verdict(measured("a", 1000, seconds(60, 1000)))).isEqualTo(new Verdict.Peaked(true));
        assertThat(verdict(new HandMade("a", 1).load("warmup", 10, seconds(60, 1000))))
                .as("and without a reference")
                .isEqualTo(new Verdict.Peaked(true));
    }

    @Test
    void aJumpInEveryRunIsEvidence() {
        assertThat(verdict(jumping(1100), jumping(1110), jumping(1100)))
                .isEqualTo(new Verdict.FalsePlateau(List.of("over 3 runs throughput right after the pause is 1.10 times"
                        + " that before it (at least 1.09)")));
        assertThat(verdict(jumping(1100), jumping(1200)))
                .as("runs that differ so much prove nothing")
                .isEqualTo(new Verdict.Peaked(true));
        assertThat(verdict(jumping(1100))).as("one run proves nothing").isEqualTo(new Verdict.Peaked(true));
    }

    private static HandMade jumping(double after) {
        return new HandMade("a", 1)
                .load("warmup", 10, seconds(60, 1000))
                .pause("pause", 15)
                .load("measure", 85, then(seconds(11, after), seconds(9, 900)));
    }

    @Test
    void whatIsNotSteadyIsToldByItsDirection() {
        double[] rising = new double[60];
        double[] falling = new double[60];
        for (int i = 0; i < 60; i++) {
            rising[i] = 500 + 10 * i;
            falling[i] = 1500 - 10 * i;
        }
        double[] swinging = new double[0];
        for (int i = 0; i < 6; i++) {
            swinging = then(swinging, seconds(12, i % 2 == 0 ? 1000 : 500));
        }

        assertThat(verdict(measured("a", 1100, rising))).isEqualTo(new Verdict.StillClimbing());
        assertThat(verdict(measured("a", 900, falling))).isEqualTo(new Verdict.Slowing());
        assertThat(verdict(measured("a", 900, swinging))).isEqualTo(new Verdict.Unstable());
        assertThat(verdict(measured("a", 800, then(seconds(20, 1000), seconds(60, 800)))))
                .as("a steady slowdown")
                .isEqualTo(new Verdict.Slowing());
    }

    @Test
    void aLateStepHasItsDirection() {
        assertThat(late(500, 1000)).isEqualTo(new Verdict.StillClimbing());
        assertThat(late(1000, 500)).isEqualTo(new Verdict.Slowing());
    }

    private static Verdict late(double before, double after) {
        double[] bins = then(seconds(100, before), seconds(20, after));
        return new Verdicts(
                        List.of(),
                        SeriesAnalyzer.warmup(bins, AnalysisConfig.defaults()),
                        Optional.empty(),
                        Optional.empty(),
                        new CompilerTail(true, List.of()),
                        OptionalDouble.empty(),
                        AnalysisConfig.defaults())
                .verdict();
    }

    @Test
    void aShortWarmUpSaysHowMuchIsMissing() {
        assertThat(verdict(measured("a", 1000, seconds(45, 1000))))
                .isEqualTo(new Verdict.NotEnoughData(
                        "15 more seconds of load before the pause: a plateau cannot be told from a rise in 45"));
    }

    @Test
    void anInvalidRunHasEveryReasonAndNoOtherVerdict() {
        assertThat(verdict(measured("a", 1000, seconds(60, 1000)).ended(Outcome.LAB_FAILED, "disk full")))
                .isEqualTo(new Verdict.Invalid(List.of("the lab failed: disk full")));
    }

    @Test
    void anOfferedRateThatIsServedHidesThePeak() {
        HandMade made = measured("a", 1000, seconds(60, 1000));
        made.rate = OptionalDouble.of(1000);
        HandMade less = measured("a", 1000, seconds(60, 1000));
        less.rate = OptionalDouble.of(1060);

        assertThat(verdict(made))
                .isEqualTo(new Verdict.NotEnoughData(
                        "load beyond the rate: all 1000 requests per second offered were served,"
                                + " so a peak cannot be seen"));
        assertThat(verdict(less)).isEqualTo(new Verdict.Peaked(true));
    }
}
