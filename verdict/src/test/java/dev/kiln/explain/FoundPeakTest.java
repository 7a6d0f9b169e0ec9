package dev.kiln.explain;

import static dev.kiln.explain.HandMade.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.experiment.FoundReference.End;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What later runs of a variant are held against. */
class FoundPeakTest {
    /** A minute of load at one level, and rounds at another. */
    private static HandMade searched(double level, int rounds) {
        HandMade made = new HandMade("a", 1).load("warmup", 10, seconds(60, level));
        for (int i = 0; i < rounds; i++) {
            made.pause(FoundReference.pause(i + 1), 5)
                    .load(FoundReference.load(i + 1), 75 + 20L * i, seconds(15, 1000));
        }
        made.reference = Optional.of(new FoundReference(false));
        return made;
    }

    @Test
    void aRunHasFoundItsPeakWhereItIsValidAndTwoRoundsStoodAtIt() {
        HandMade made = searched(900, 2);
        assertThat(made.digest().foundPeak()).as("broken off").isEmpty();
        made.referenceEnd = Optional.of(End.FOUND);
        assertThat(made.digest().foundPeak()).hasValue(1000);
        made.repeatedFor = List.of("other programs used 90 % of a CPU");
        assertThat(made.digest().foundPeak()).as("spoiled").isEmpty();
        made.repeatedFor = List.of();
        for (End bound : List.of(End.STILL_RISING, End.C2_STARVED, End.C2_BEHIND, End.C2_UNKNOWN, End.DECLINING)) {
            made.referenceEnd = Optional.of(bound);
            assertThat(made.digest().foundPeak()).as("%s", bound).isEmpty();
        }
        HandMade one = searched(1000, 1);
        one.referenceEnd = Optional.of(End.FOUND);
        assertThat(one.digest().foundPeak()).as("one round alone").isEmpty();
        one.referenceEnd = Optional.of(End.CONFIRMED);
        assertThat(one.digest().foundPeak()).hasValue(1000);
    }
}
