package dev.kiln.explain;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.HandMade.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.CpuAssignment;
import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.experiment.FoundReference.Another;
import dev.kiln.model.experiment.FoundReference.C2Left;
import dev.kiln.model.experiment.FoundReference.End;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Treatment;
import dev.kiln.model.run.Treatment.TreatmentLimits;
import dev.kiln.stats.AnalysisConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PeakSearchTest {
    private static final int LOAD_FROM = 10;
    private static final int ROUND_FROM = 75;

    /** A minute of load at one level, and a round at another; C2 has nothing to do. */
    private static HandMade searched(double[] load, double[]... rounds) {
        HandMade made = new HandMade("a", 1);
        made.atLeastPlanned = 15;
        made.load("warmup", LOAD_FROM, load);
        for (int i = 0; i < rounds.length; i++) {
            made.pause(FoundReference.pause(i + 1), 5)
                    .load(FoundReference.load(i + 1), ROUND_FROM + 20L * i, rounds[i]);
        }
        made.reference = Optional.of(new FoundReference(false));
        return made;
    }

    /** C2 used so much of a CPU and waited so long for one, as a share of the time, from the first round on. */
    private static HandMade withC2(HandMade made, double cpu, double wait) {
        for (int second = 0; second <= 200; second++) {
            int busy = Math.max(0, second - ROUND_FROM);
            made.thread(second, 7, "C2 CompilerThre", ThreadRole.C2, 5 + cpu * busy, 1 + wait * busy);
        }
        return made;
    }

    private static HandMade quiet(HandMade made) {
        return withC2(made, 0.002, 0.002);
    }

    /** The program has this thread, and no other. */
    private static HandMade withThread(HandMade made, String name, int until) {
        for (int second = 0; second <= until; second++) {
            made.thread(second, 9, name, ThreadRole.OTHER, second, 1);
        }
        return made;
    }

    /** So many methods wait for C2 at the end of the first round. */
    private static HandMade queued(HandMade made, int methods) {
        made.jit.add(JitSample.at((ROUND_FROM + 14) * SECOND).queues(OptionalInt.empty(), OptionalInt.of(methods)));
        return made;
    }

    private static PeakSearch after(HandMade made, Double... earlier) {
        return PeakSearch.after(made.evidence(), List.of(earlier), AnalysisConfig.defaults());
    }

    /**
     * Seconds that vary by this share, each like the one before: a neighbour takes CPU in slow waves. The seconds that are compared
     * have this mean: the last ten of a load, all but the first of a round.
     */
    private static double[] waves(int count, double level, double cv, long seed) {
        Random random = new Random(seed);
        double[] out = seconds(count, level);
        double state = random.nextGaussian();
        for (int i = 0; i < count; i++) {
            state = 0.7 * state + Math.sqrt(1 - 0.49) * random.nextGaussian();
            out[i] = level * (1 + cv * state);
        }
        double mean =
                Arrays.stream(out, count > 15 ? count - 10 : 1, count).average().orElseThrow();
        return Arrays.stream(out).map(x -> x * level / mean).toArray();
    }

    @Test
    void aServiceThatWasFlatFromTheStartTakesOneRound() {
        HandMade flat = quiet(searched(waves(60, 1000, 0.01, 1), waves(15, 1000, 0.01, 2)));

        assertThat(after(flat).end()).contains(End.FOUND);
        assertThat(after(flat).why()).isEmpty();
    }

    /** The round of a noisy machine is a few per cent below the end: it shows neither that this is the peak nor what is above. */
    @Test
    void aNoisyRoundThatShowsNoMoreThanTheEndTakesAnother() {
        HandMade noisy = withThread(searched(waves(60, 3900, 0.12, 1), waves(15, 3770, 0.12, 2)), "server", 200);

        assertThat(after(noisy).end())
                .as("nothing is compiled that could raise it")
                .contains(End.FOUND);
        assertThat(after(quiet(noisy)).end()).isEmpty();
        assertThat(after(noisy).why()).contains(Another.ALONE);
    }

    @Test
    void aCompilerWithWorkLeftTakesAnother() {
        double[] load = seconds(60, 1000);
        double[] round = seconds(15, 1000);
        assertThat(after(quiet(searched(load, round))).end()).contains(End.FOUND);
        assertThat(after(queued(withC2(searched(load, round), 0.1, 0), 5)).why())
                .contains(Another.BUSY);
        assertThat(after(queued(withC2(searched(load, round), 0.04, 0.3), 5)).why())
                .as("it asked for more than it got")
                .contains(Another.BUSY);
        assertThat(after(withC2(searched(load, round), 0.1, 0)).why())
                .as("nobody told its queue")
                .contains(Another.UNTOLD);
        assertThat(after(withC2(searched(load, round), 0.03, 0.95)).why()).contains(Another.STARVED);
        assertThat(after(queued(quiet(searched(load, round)), 150)).why()).contains(Another.BEHIND);
    }

    /** A round in which nobody looked at C2 had shown the peak by itself, as if C2 had had nothing to do. */
    @Test
    void aC2ThatWasNotSeenIsNotAQuietOne() {
        double[] load = seconds(60, 1000);
        double[] round = seconds(15, 1000);
        assertThat(after(searched(load, round)).why()).contains(Another.UNSEEN);
        assertThat(after(searched(load, round, round)).end()).as("nobody will").contains(End.FOUND);
        assertThat(after(withThread(searched(load, round), "server", 200)).end())
                .as("there is none")
                .contains(End.FOUND);
        assertThat(after(withThread(searched(load, round), "server", ROUND_FROM))
                        .why())
                .as("the threads were seen until the round")
                .contains(Another.UNSEEN);
        assertThat(after(withThread(searched(load, round), "JIT Compilation", 200))
                        .why())
                .as("OpenJ9")
                .contains(Another.UNSEEN);
        assertThat(after(searched(seconds(60, 600), round), 1005.0).end())
                .as("it confirms nothing")
                .isEmpty();
    }

    @Test
    void whereAKernelCountsNoWaitsTheQueueTellsWhatC2HasLeft() {
        HandMade made = searched(seconds(60, 1000), seconds(15, 1000));
        for (int second = 0; second <= 200; second++) {
            made.thread(second, 7, "C2 CompilerThre", ThreadRole.C2, 5, 0);
        }
        assertThat(after(made).why()).contains(Another.UNSEEN);
        assertThat(after(queued(made, 0)).end()).contains(End.FOUND);
    }

    /** What is much for C2 depends on what the program has: a third of a CPU is little of 64. */
    @Test
    void aLargeMachineHasMoreCpuForC2() {
        List<Integer> many = IntStream.range(0, 64).boxed().toList();
        CpuAssignment sixtyFour = new CpuAssignment(many, List.of(64), List.of(64), true, List.of());
        HandMade made = searched(seconds(60, 1000), seconds(15, 1000)).on(sixtyFour);
        assertThat(after(queued(withC2(made, 0.9, 0.05), 5)).end()).contains(End.FOUND);
        HandMade busy = searched(seconds(60, 1000), seconds(15, 1000)).on(sixtyFour);
        assertThat(after(queued(withC2(busy, 3.3, 0), 5)).why()).contains(Another.BUSY);
    }

    @Test
    void aQuotaIsAllTheCpuThatTheTargetHas() {
        HandMade busy = withC2(searched(seconds(60, 1000), seconds(15, 1000)), 0.04, 0);
        assertThat(after(busy).end()).as("4 % of one CPU").contains(End.FOUND);
        busy.treatment = new Treatment(
                List.of(),
                new TreatmentLimits(OptionalDouble.of(0.5), OptionalLong.empty()),
                List.of(),
                Optional.empty());
        assertThat(after(queued(busy, 0)).why()).as("8 % of half of one").contains(Another.BUSY);
    }

    /** Three rounds, of which other programs disturbed those that began at this second or later. */
    private static HandMade disturbed(int from, int rounds) {
        double[][] level = new double[rounds][];
        Arrays.fill(level, seconds(15, 1000));
        HandMade made = quiet(searched(seconds(60, 1000), level));
        for (int second = 0; second <= 140; second++) {
            made.cpu(second, 0, second, 0)
                    .part(second, "target", second <= from ? second : from + (second - from) * 0.5);
        }
        return made;
    }

    @Test
    void aRoundThatOtherProgramsDisturbedTakesAnother() {
        HandMade one = disturbed(ROUND_FROM, 1);
        assertThat(after(one).why()).contains(Another.DISTURBED);
        assertThat(after(one).end()).isEmpty();
        assertThat(after(disturbed(ROUND_FROM, 3)).end()).as("all three").contains(End.FOUND);
    }

    @Test
    void aRoundInWhichAFurtherReplicaWasDisturbedTakesAnother() {
        RunEvidence quiet =
                quiet(searched(seconds(60, 1000), seconds(15, 1000))).evidence();
        RunEvidence other = disturbed(ROUND_FROM, 1).evidence();
        RunEvidence both = quiet.with(List.of(quiet.replica(other.info(), other.jvm(), other.machine())), List.of());

        assertThat(PeakSearch.after(both, List.of(), AnalysisConfig.defaults()).why())
                .contains(Another.DISTURBED);
    }

    @Test
    void onlyRoundsThatWereDisturbedCountAsSuch() {
        assertThat(after(disturbed(ROUND_FROM + 40, 3)).why())
                .as("the third alone")
                .contains(Another.DISTURBED);
        assertThat(after(disturbed(ROUND_FROM + 20, 3)).why()).as("two").contains(Another.DISTURBED);
    }

    @Test
    void aRoundThatAgreesWithEarlierRunsEndsTheSearch() {
        double[] climbed = waves(60, 600, 0.01, 1);
        HandMade made = quiet(searched(climbed, waves(15, 1000, 0.01, 2)));

        assertThat(after(made).why()).contains(Another.RISEN);
        assertThat(after(made, 1005.0).end()).contains(End.CONFIRMED);
        assertThat(after(made, 1005.0, 995.0, 1010.0).end()).contains(End.CONFIRMED);
        assertThat(after(made, 1080.0).end()).as("8 % below what was found").isEmpty();
        assertThat(after(made, 1025.0).end())
                .as("2.5 % below: it may still rise")
                .isEmpty();
        assertThat(after(made, 920.0).end()).as("8 % above").isEmpty();
        assertThat(after(made, 930.0, 1070.0).end())
                .as("runs that differ confirm nothing")
                .isEmpty();
        assertThat(after(quiet(searched(climbed, waves(15, 1000, 0.12, 2))), 1000.0)
                        .end())
                .as("too uncertain to agree")
                .isEmpty();
    }

    @Test
    void aRoundThatClimbsOrDeclinesWithinItselfIsNoLevel() {
        double[] climb = new double[60];
        Arrays.setAll(climb, i -> 500 + 8 * i);
        double[] flat = ragged(1000, 0);
        assertThat(after(searched(climb, flat)).why()).as("more than before").contains(Another.RISEN);
        assertThat(after(searched(climb, flat, ragged(1000, 20))).why()).contains(Another.CLIMBING);
        double[] higher = ragged(1300, 0);
        assertThat(after(searched(climb, flat, ragged(1000, 20), higher)).why())
                .as("the last round counts")
                .contains(Another.RISEN);
        assertThat(after(searched(climb, flat, ragged(1000, 20), higher, ragged(1300, -20)))
                        .why())
                .contains(Another.DECLINING);
    }

    private static double[] ragged(double from, double slope) {
        double[] round = new double[15];
        Arrays.setAll(round, i -> from + slope * i + 10 * (i * 7 % 5 - 2));
        return round;
    }

    @Test
    void aLevelIsTheMeanWithoutTheFirstSecond() {
        double[] round = seconds(15, 2000);
        round[0] = 0;
        assertThat(after(searched(seconds(60, 2000), round)).level()).isEqualTo(2000);
    }

    @Test
    void nothingRecordedIsNoLevel() {
        PeakSearch search = after(searched(seconds(60, 2000), new double[0]));
        assertThat(search.level()).isZero();
        assertThat(search.why()).contains(Another.FELL);
    }

    /** The last seconds count, whatever came before. */
    @Test
    void aRoundIsHeldAgainstTheLastTenSecondsOfTheLoad() {
        double[] load = seconds(60, 100);
        Arrays.fill(load, 50, 60, 700);
        PeakSearch.Loads loads = new PeakSearch.Loads(load, List.of(seconds(15, 705)));
        assertThat(loads.before()).isEqualTo(700);
        assertThat(loads.after(C2Left.NONE, 0, List.of(), AnalysisConfig.defaults())
                        .end())
                .contains(End.FOUND);
    }
}
