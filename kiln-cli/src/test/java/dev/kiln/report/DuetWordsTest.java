package dev.kiln.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.compare.DuetComparison;
import dev.kiln.compare.DuetComparison.DuetBlock;
import dev.kiln.stats.Estimate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DuetWordsTest {
    private static final List<DuetBlock> BLOCKS = List.of(new DuetBlock(1, 1, 19, 1.02), new DuetBlock(2, 2, 19, 1.06));

    private static DuetComparison duet(Optional<Estimate> ratio, List<DuetBlock> blocks) {
        return new DuetComparison(
                "old", "new", blocks, List.of("block 3 is left out: old has no valid run in it"), ratio, 0.95);
    }

    @Test
    void onlyAnIntervalBesideOneSaysThatThereIsADifference() {
        assertThat(DuetWords.sentence(duet(Optional.of(new Estimate(1.04, 1.01, 1.07)), BLOCKS)))
                .isEqualTo(
                        "At once: new served 4.0 % more than old in the same seconds (ratio 1.040, 95 % interval 1.010"
                                + " to 1.070; 38 seconds of 2 blocks in which both were at a level)");
        assertThat(DuetWords.sentence(duet(Optional.of(new Estimate(0.9, 0.85, 0.95)), BLOCKS)))
                .contains("new served 10.0 % less than old");
        assertThat(DuetWords.sentence(duet(Optional.of(new Estimate(1.04, 0.99, 1.09)), BLOCKS)))
                .contains("no difference shown between what new and old served")
                .doesNotContain("more", "less");
    }

    @Test
    void tooFewBlocksSayHowManyItTakes() {
        assertThat(DuetWords.sentence(duet(Optional.empty(), BLOCKS)))
                .contains("38 seconds of 2 blocks", "too few", "2 blocks with either half of the CPUs");
        assertThat(DuetWords.sentence(duet(Optional.empty(), List.of()))).contains("no second, too few");
    }

    @Test
    void theTerminalSaysWhatIsLeftOut() {
        assertThat(DuetWords.terminal(duet(Optional.empty(), BLOCKS), TerminalStyle.plain()))
                .contains("block 3 is left out");
        assertThat(DuetWords.rows(duet(Optional.empty(), BLOCKS)))
                .containsExactly(List.of("1", "1", "19", "1.020"), List.of("2", "2", "19", "1.060"));
    }
}
