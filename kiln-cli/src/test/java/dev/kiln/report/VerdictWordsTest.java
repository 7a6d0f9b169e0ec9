package dev.kiln.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.RunResult;
import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.experiment.FoundReference.End;
import dev.kiln.model.run.Verdict;
import dev.kiln.stats.AnalysisConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VerdictWordsTest {
    /** It said so of a round after which nothing came back. */
    @Test
    void onlyWhatCameBackDroppedForAWhile() {
        assertThat(beside(End.FOUND, 1520, 610, 1520))
                .contains("throughput dropped for a while: an outage of 14 s at second 1 of round 2");
        assertThat(beside(End.FELL, 1520, 610))
                .contains("throughput dropped: an outage of 14 s at second 1 of round 2");
    }

    /** They said 90 and 5 % whatever was set. */
    @Test
    void aPeakIsToldByTheConstantsThatMadeIt() {
        assertThat(VerdictWords.sentence(new Verdict.Peaked(false, Verdict.PeakCode.ANY, 0.8)))
                .isEqualTo("Peaked: at the end it served at least 80 % of its peak.");
        RunResult level = HandMade.assess(HandMade.measured("a", 1000, HandMade.seconds(60, 1000)))
                .variants()
                .getFirst()
                .runs()
                .getFirst();
        assertThat(VerdictWords.beside(level, AnalysisConfig.DELTA))
                .containsExactly("it was level within 5 % for the last 60 s");
        assertThat(VerdictWords.beside(level, 0.025)).containsExactly("it was level within 2.5 % for the last 60 s");
    }

    /** A minute whose seconds vary by more than 5 % was "too short". */
    @Test
    void aLevelOfAFewSecondsIsToldWithItsLength() {
        double[] load = new double[120];
        Arrays.setAll(load, i -> i / 2 % 2 == 0 ? 860 : 1140);
        load[119] = 1000;
        double[] after = Arrays.copyOf(load, 60);
        HandMade rough =
                new HandMade("a", 1).load("warmup", 10, load).pause("pause", 15).load("measure", 145, after);
        RunResult run = HandMade.assess(rough).variants().getFirst().runs().getFirst();

        assertThat(run.series().ending().orElseThrow().levelSeconds()).isLessThan(10);
        assertThat(run.explanation().verdict().text()).isEqualTo("peaked");
        assertThat(VerdictWords.beside(run, AnalysisConfig.DELTA))
                .contains("only the last 1 s were within 5 %, too short a time to tell whether its end was level");
    }

    private static List<String> beside(End end, double... levels) {
        HandMade made = new HandMade("a", 1).load("warmup", 10, HandMade.seconds(60, 600));
        for (int i = 0; i < levels.length; i++) {
            made.pause(FoundReference.pause(i + 1), 5)
                    .load(FoundReference.load(i + 1), 75 + 20L * i, HandMade.seconds(15, levels[i]));
        }
        made.reference = Optional.of(new FoundReference(false));
        made.referenceEnd = Optional.of(end);
        return VerdictWords.beside(
                HandMade.assess(made).variants().getFirst().runs().getFirst(), AnalysisConfig.DELTA);
    }
}
