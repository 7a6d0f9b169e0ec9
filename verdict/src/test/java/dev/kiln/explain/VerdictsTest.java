package dev.kiln.explain;

import static dev.kiln.explain.HandMade.assess;
import static dev.kiln.explain.HandMade.measured;
import static dev.kiln.explain.HandMade.seconds;
import static dev.kiln.explain.HandMade.then;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.explain.study.Assessment;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.run.Attached;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Verdict;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Goldens;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** The curve joined with what else is known of a run; the words of the curve alone are in {@link SeriesVerdictsTest}. */
class VerdictsTest {
    private static final double[] PLATEAU = then(then(seconds(10, 1500), seconds(20, 2400)), seconds(90, 2900));

    @Test
    void aPlateauBelowThePeakIsFalseAndSaysWhatHeldItDown() {
        assertThat(verdict(servedAfter(3800)))
                .isEqualTo(new Verdict.FalsePlateau(List.of(
                        "it ended at 2,900 req/s, between 76 and 77 % of its peak of 3,800 (84 % interval)",
                        "C2 got 3.0 % of a CPU and waited for one 97.0 % of the time in the last 15 s of the load")));
    }

    @Test
    void atThePeakStarvedCompilersLeaveItOpen() {
        assertThat(verdict(servedAfter(2950)))
                .isEqualTo(new Verdict.CannotTell(
                        "it ended between 98 and 99 % of its peak (84 % interval), but C2 got 3.0 % of a CPU and waited for one 97.0 % of"
                                + " the time in the last 15 s of the load",
                        "rounds of pause and load until the peak is found"));
    }

    /** C2 waits to the end of the warm-up, second 130, and no longer. */
    private static Service servedAfter(double measured) {
        Service service = longer(PLATEAU, measured).starved();
        service.c2WaitsUntil = 130;
        return service;
    }

    @Test
    void atThePeakQuietCompilersLeaveNoDoubt() {
        assertThat(verdict(longer(PLATEAU, 2950))).isEqualTo(new Verdict.Peaked(false));
    }

    /** A wait that ended at second 40 holds nothing down at the end. */
    @Test
    void aStarvationThatEndedHoldsNothingDown() {
        Service service = longer(PLATEAU, 2950).starved();
        service.c2WaitsUntil = 90;

        assertThat(verdict(service)).isEqualTo(new Verdict.Peaked(false));
    }

    /** Where no waits are recorded the compile time shows that C2 was starved: the cause was confirmed, and the verdict "peaked". */
    @Test
    void compilersThatGotNoCpuForTheirWorkLeaveItOpenWithoutWaitsToo() {
        Service service = Service.healthy();
        service.c2Cpu = 0.5;
        service.c2Wait = 0;
        service.workerWait = 0;
        service.compileSeconds = 2.08;

        assertThat(service.held()).containsExactly("c2-starved");
        assertThat(verdict(service))
                .isInstanceOfSatisfying(
                        Verdict.CannotTell.class,
                        cannot -> assertThat(cannot.known())
                                .endsWith("but the compilers had a CPU for 24 % of the time their compilations took in"
                                        + " the last 15 s of the load"));
    }

    @Test
    void thePublishedPlateauWithStarvedCompilersIsOpenAndWithQuietOnesAPeak() throws IOException {
        Published run = published();

        assertThat(verdict(longer(run.warmup(), run.measure()).starved())).isInstanceOf(Verdict.CannotTell.class);
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

    /** It ran before, so nobody knows how long it took to its peak: what is told is what this load saw. */
    @Test
    void aServiceThatHadRunBeforeHasNoTimeToItsPeak() {
        HandMade warm = attached(seconds(60, 1000));

        RunResult run = only(assess(warm));

        assertThat(run.explanation().verdict())
                .isEqualTo(new Verdict.AtPeak(
                        new Verdict.Peaked(true),
                        "3 h 2 min",
                        "it served 90 % of its peak from the first second of the load on"));
        assertThat(run.series().peak()).isPresent();
        assertThat(run.series().times()).isEmpty();
        assertThat(run.series().warmupCost()).isEmpty();
        assertThat(run.since().ready()).isEmpty();
        assertThat(run.since().firstResponse()).isEmpty();
        assertThat(run.whyNoPeak()).startsWith("it had run for 3 h 2 min when Kiln attached to it");
        assertThat(run.notes().getFirst())
                .isEqualTo(
                        "Kiln attached to process 4711 (port:8080), which had run for 3 h 2 min and used 12 min 30 s of"
                                + " CPU: its start and what it served before were not seen");
        assertThat(assess(warm).conclusion())
                .startsWith(
                        "a had run for 3 h 2 min when Kiln attached to it: it ended at 1,000 req/s, 100 % of its peak")
                .endsWith(", at peak.");
    }

    @Test
    void aServiceThatHadRunBeforeMayStillRise() {
        assertThat(only(assess(attached(then(seconds(30, 400), seconds(90, 1000)))))
                        .explanation()
                        .verdict())
                .isInstanceOfSatisfying(
                        Verdict.AtPeak.class,
                        at -> assertThat(at.way())
                                .startsWith("its throughput came to 90 % of its peak 30 s")
                                .endsWith("after the first request of this load"));
        assertThat(verdict(attached(seconds(60, 800))))
                .isEqualTo(new Verdict.BelowPeak(
                        "it ended at 800 req/s, between 79 and 81 % of the 1,000 that it served after the pause (84 %"
                                + " interval)"));
    }

    private static HandMade attached(double[] warmup) {
        HandMade made = measured("a", 1000, warmup);
        made.attached = Optional.of(new Attached("port:8080", 4711, 10_920_000_000_000L, 750_000_000_000L));
        return made;
    }

    private static Verdict verdict(HandMade... runs) {
        return only(assess(runs)).explanation().verdict();
    }

    @Test
    void withoutEvidenceOfTheCompilersItPeakedByThroughputAlone() {
        assertThat(verdict(measured("a", 1000, seconds(60, 1000)))).isEqualTo(new Verdict.Peaked(true));
        assertThat(verdict(measured("a", 1000, seconds(60, 960)))).isEqualTo(new Verdict.Peaked(true));
        assertThat(verdict(measured("a", 10_000, seconds(60, 9000))))
                .isEqualTo(new Verdict.FalsePlateau(List.of("it ended at 9,000 req/s, 90 % of its peak of 10,000")));
        assertThat(verdict(measured("a", 1000, seconds(60, 900))))
                .as("counting alone hides 5 % a minute of 900 requests a second")
                .isEqualTo(new Verdict.BelowPeak(
                        "it ended at 900 req/s, between 89 and 91 % of the 1,000 that it served after the pause (84 %"
                                + " interval)"));
    }

    /** What a lower bound can decide it decides: a level below it is below every higher peak. */
    @Test
    void aPeakBesideAStarvedCompilerDecidesOnlyWhatIsBelowIt() {
        assertThat(verdict(starvedAfter(1)))
                .isEqualTo(new Verdict.CannotTell(
                        "it ended at 100 % of a peak that may be higher: C2 still waited for a CPU in the load"
                                + " after the pause",
                        "rounds of pause and load until the peak is found (reference: until-found)"));
        assertThat(verdict(starvedAfter(0.7)))
                .isEqualTo(new Verdict.FalsePlateau(
                        List.of("it ended at 70,000 req/s, 70 % of its peak of at least 100,000")));
    }

    /** Eight rounds were not enough: more of them cannot be asked for. */
    @Test
    void aSearchThatEndedEarlyIsNotAdvisedAgain() {
        HandMade made = new HandMade("a", 1)
                .load("warmup", 10, seconds(60, 1000))
                .pause("pause-r1", 5)
                .load("reference-1", 75, seconds(15, 1000));
        made.planned.subList(1, made.planned.size()).clear();
        made.reference = Optional.of(new FoundReference(false));
        made.referenceEnd = Optional.of(FoundReference.End.STILL_RISING);

        assertThat(verdict(made))
                .isEqualTo(new Verdict.CannotTell(
                        "it ended between 99 and 101 % of a peak that may be higher (84 % interval): the search for the peak ended before a round"
                                + " was at a level",
                        "a longer load before the search for the peak"));
    }

    private static HandMade starvedAfter(double share) {
        HandMade made = measured("a", 100_000, seconds(60, 100_000 * share));
        for (int second = 0; second <= 30; second++) {
            made.thread(80 + second, 7, "C2 CompilerThre", ThreadRole.C2, 10 + 0.03 * second, 20 + 0.97 * second);
        }
        return made;
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
                .isEqualTo(new Verdict.Served("all 1000 requests per second offered", "a higher rate"));
        assertThat(verdict(less)).isEqualTo(new Verdict.Peaked(true));
    }
}
