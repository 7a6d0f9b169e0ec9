package dev.kiln.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Simulated runs: what C2 has to do, and the share that it gets, are known. */
class ForecastScoresTest {
    private static final String MODEL = "C2's demand over its share";

    /** C2 gets its share, with noise, until it has done what it has to do; then it is quiet for a minute. */
    private static ForecastScores.Run run(String service, double demand, double share, int most, Random random) {
        List<Forecaster.Second> seconds = new ArrayList<>();
        double left = demand;
        double level = share;
        int quiet = 0;
        while (seconds.size() < most && quiet < 60) {
            if (seconds.size() % 10 == 0) {
                level = share * Math.exp(0.23 * random.nextGaussian());
            }
            double cpu = Math.min(left, Math.min(1, level));
            seconds.add(new Forecaster.Second(cpu, left > 0 ? 0.95 : 0, 0));
            left -= cpu;
            quiet += left > 0 ? 0 : 1;
        }
        return new ForecastScores.Run(service, service, seconds);
    }

    private static List<ForecastScores.Run> services(int count, Random random) {
        List<ForecastScores.Run> runs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            double demand = 9 * Math.exp(0.4 * random.nextGaussian());
            double share = 0.03 * Math.exp(0.5 * random.nextGaussian());
            runs.add(run("s" + i, demand, share, 3000, random));
        }
        return runs;
    }

    @Test
    void c2IsDoneWhenItAsksForLittleToTheEnd() {
        ForecastScores.Run run = run("a", 3, 0.05, 3000, new Random(1));

        int worked = (int) run.seconds().stream().filter(s -> s.c2Wait() > 0).count();
        assertThat(run.done().orElseThrow()).isBetween(worked, worked + 10);
        assertThat(run("a", 100, 0.05, 300, new Random(1)).done()).isEmpty();
        assertThat(new ForecastScores.Run("a", "a", List.of()).done()).isEmpty();
    }

    /** C2 is quiet for 25 s and comes back: the load must go on for longer than that to tell. */
    @Test
    void aLullAtTheEndOfALoadIsNoEnd() {
        List<Forecaster.Second> seconds =
                new ArrayList<>(run("a", 3, 0.05, 3000, new Random(1)).seconds());
        int worked = (int) seconds.stream().filter(s -> s.c2Wait() > 0).count();

        assertThat(new ForecastScores.Run("a", "a", seconds.subList(0, worked + 25)).done())
                .isEmpty();
        assertThat(new ForecastScores.Run("a", "a", seconds.subList(0, worked + 35)).done())
                .isPresent();
    }

    @Test
    void intervalsOfServicesThatAreAlikeHoldWhatTheyClaim() {
        List<ForecastScores.Score> scores = ForecastScores.of(services(60, new Random(7)));

        assertThat(scores).filteredOn(s -> s.rule().equals(MODEL)).isNotEmpty().allSatisfy(s -> {
            assertThat(s.held() / (double) s.runs())
                    .as("interval at %d s", s.at())
                    .isBetween(0.8, 1.0);
            assertThat(s.boundHeld() / (double) s.runs())
                    .as("bound at %d s", s.at())
                    .isGreaterThan(0.88);
        });
        List<ForecastScores.Score> early =
                scores.stream().filter(s -> s.at() == 30).toList();
        assertThat(early.getFirst().off()).isLessThan(1.6);
        assertThat(early.getLast().rule()).isEqualTo("twice the time so far");
        assertThat(early.getLast().off()).isGreaterThan(3);
        assertThat(early.getLast().width()).isGreaterThan(2 * early.getFirst().width());
    }

    /** Services that ask for a tenth, after none like them was seen: the score must say that the bound fails. */
    @Test
    void aServiceUnlikeTheOthersIsFoundOut() {
        Random random = new Random(3);
        List<ForecastScores.Run> runs = services(8, random);
        List<ForecastScores.Run> small = new ArrayList<>(runs);
        for (int i = 0; i < 20; i++) {
            small.add(run("small", 0.9 * Math.exp(0.1 * random.nextGaussian()), 0.03, 3000, random));
        }
        ForecastScores.Score unlike = ForecastScores.of(small).getFirst();

        assertThat(unlike.at()).isEqualTo(10);
        assertThat(unlike.boundHeld()).isLessThan(20);
    }

    @Test
    void aRunThatEndedTooEarlyDoesNotCountAndALongOneIsCensored() {
        Random random = new Random(5);
        List<ForecastScores.Run> runs = new ArrayList<>(services(4, random));
        int before = ForecastScores.of(runs).getFirst().runs();
        runs.add(run("short", 1000, 0.03, 120, random));
        assertThat(ForecastScores.of(runs).getFirst().runs()).isEqualTo(before);

        runs.add(run("long", 1000, 0.03, 700, random));
        ForecastScores.Score with = ForecastScores.of(runs).getFirst();
        assertThat(with.runs()).isEqualTo(before + 1);
        assertThat(with.censored()).isEqualTo(1);
    }

    /** What it has used by then is less than it needs: to leave it out would make all other services ask for less than they do. */
    @Test
    void whatACensoredRunHasUsedCountsAsANeed() {
        Random random = new Random(9);
        List<ForecastScores.Run> runs = List.of(run("a", 3, 0.05, 3000, random), run("long", 1000, 0.03, 700, random));

        assertThat(ForecastScores.needs(runs)).containsOnlyKeys("a", "long");
        assertThat(ForecastScores.needs(runs).get("a")).isCloseTo(3, within(1e-6));
        assertThat(ForecastScores.needs(runs).get("long")).isBetween(15.0, 30.0);
    }

    /** A bound that Kiln prints lies ahead; twice the time so far never says anything of use. */
    @Test
    void boundsOfUseAreCounted() {
        List<ForecastScores.Score> scores = ForecastScores.of(services(20, new Random(11)));

        assertThat(scores)
                .filteredOn(s -> s.at() <= 60 && s.rule().equals(MODEL))
                .isNotEmpty()
                .allSatisfy(s -> {
                    assertThat(s.useful()).isPositive();
                    assertThat(s.usefulHeld()).isBetween(s.useful() - 2, s.useful());
                });
        assertThat(scores)
                .filteredOn(s -> !s.rule().equals(MODEL))
                .allSatisfy(s -> assertThat(s.useful()).isZero());
    }

    @Test
    void eachServiceHasItsRowWithTheForecastsOfTheOthers() {
        List<ForecastScores.Run> runs = services(3, new Random(1));

        assertThat(ForecastScores.services(runs, ForecastScores.of(runs)))
                .startsWith("| run | C2's CPU, s | C2 done, s | forecasts |")
                .containsPattern("\\| s0 \\| \\d+\\.\\d \\| \\d+ \\| 10 s: \\d+ to \\d+");
    }

    @Test
    void twoServicesLeaveOneToTellOfTheOther() {
        assertThat(ForecastScores.of(services(2, new Random(1)))).isEmpty();
        assertThat(ForecastScores.table(ForecastScores.of(services(3, new Random(1)))))
                .startsWith("| at s | rule | runs |")
                .contains("| 30 | " + MODEL + " | 3 | 0 | ");
    }
}
