package dev.kiln.compare;

import static dev.kiln.explain.HandMade.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.stats.series.Peak;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Why runs have no peak to compare, although there was a load after a pause. */
class NoPeakNoteTest {
    private static List<String> notes(HandMade... runs) {
        ExperimentResult result = HandMade.assess(runs);
        return VariantRuns.of(result, result.variants().getFirst(), "here").notes();
    }

    private static HandMade run(int number, double[] after) {
        return new HandMade("a", number)
                .load("warmup", 10, seconds(60, 850))
                .pause("pause", 15)
                .load("measure", 85, after);
    }

    private static double[] declining() {
        double[] load = new double[31];
        Arrays.setAll(load, i -> 1000 - 10 * i);
        return load;
    }

    @Test
    void aLoadThatShowsNoPeakIsTold() {
        assertThat(notes(run(1, declining()), run(2, declining())))
                .containsExactly("it shows no peak: " + Peak.Absence.DECLINES.text());
        assertThat(notes(run(1, seconds(31, 600))))
                .containsExactly("it shows no peak: " + Peak.Absence.SERVED_LESS.text());
    }

    @Test
    void whatAnotherRunShowsIsNotMissing() {
        assertThat(notes(run(1, declining()), run(2, seconds(31, 900))))
                .noneMatch(note -> note.startsWith("it shows no peak"));
    }

    @Test
    void aLoadWithoutAPauseIsNoNews() {
        assertThat(notes(new HandMade("a", 1).load("warmup", 10, seconds(60, 850))))
                .isEmpty();
    }
}
