package dev.kiln.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.HandMade;
import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.experiment.FoundReference.End;
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

    private static List<String> beside(End end, double... levels) {
        HandMade made = new HandMade("a", 1).load("warmup", 10, HandMade.seconds(60, 600));
        for (int i = 0; i < levels.length; i++) {
            made.pause(FoundReference.pause(i + 1), 5)
                    .load(FoundReference.load(i + 1), 75 + 20L * i, HandMade.seconds(15, levels[i]));
        }
        made.reference = Optional.of(new FoundReference(false));
        made.referenceEnd = Optional.of(end);
        return VerdictWords.beside(
                HandMade.assess(made).variants().getFirst().runs().getFirst());
    }
}
