package dev.kiln.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.experiment.Experiment.PlannedRun;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.experiment.Variant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Runs are written as variant, number and block: {@code a2/1}. */
class TriesTest {
    private static final Target TARGET = new Target(
            new Target.Program(List.of("java"), List.of(), Map.of(), Optional.empty()),
            Target.Jvm.USUAL,
            new ReadySign.FirstResponse(Duration.ofMinutes(2)));

    @Test
    void withoutASpoiledRunItIsThePlan() {
        assertThat(made(new Tries(plan(2), true), Set.of())).containsExactly("a1/1", "b1/1", "a2/2", "b2/2");
    }

    @Test
    void aSpoiledRunIsMadeAgainAtTheEndOfItsBlock() {
        assertThat(made(new Tries(plan(2), true), Set.of("a1/1")))
                .containsExactly("a1/1", "b1/1", "a2/1", "a3/2", "b2/2");
        assertThat(made(new Tries(plan(2), true), Set.of("a1/1", "b1/1", "b2/1", "b4/2")))
                .containsExactly("a1/1", "b1/1", "a2/1", "b2/1", "b3/1", "a3/2", "b4/2");
    }

    @Test
    void aVariantHasTwiceAsManyTriesAsRuns() {
        Tries tries = new Tries(plan(3), true);
        assertThat(made(tries, Set.of("a1/1", "a2/1", "a3/1", "a4/1", "a5/2", "a6/3")))
                .containsExactly("a1/1", "b1/1", "a2/1", "a3/1", "a4/1", "a5/2", "b2/2", "a6/3", "b3/3");
        assertThat(tries.total()).isEqualTo(9);
        assertThat(tries.left("a")).isFalse();
        assertThat(tries.left("b")).isTrue();
    }

    @Test
    void nothingIsMadeAgainWhereItIsNotWanted() {
        Tries tries = new Tries(plan(1), false);
        assertThat(tries.left("a")).isFalse();
        assertThat(made(tries, Set.of("a1/1"))).containsExactly("a1/1", "b1/1");
    }

    @Test
    void numbersGoOnWhereAnEarlierPartEnded() {
        Tries tries = new Tries(List.of(new PlannedRun(4, 4, new Variant("a", TARGET))), false);
        assertThat(made(tries, Set.of())).containsExactly("a4/4");
    }

    private static List<PlannedRun> plan(int blocks) {
        List<PlannedRun> runs = new ArrayList<>();
        for (int block = 1; block <= blocks; block++) {
            for (String name : List.of("a", "b")) {
                runs.add(new PlannedRun(block, block, new Variant(name, TARGET)));
            }
        }
        return runs;
    }

    private static List<String> made(Tries tries, Set<String> spoiled) {
        List<String> made = new ArrayList<>();
        int block = 0;
        for (Optional<PlannedRun> next = tries.next(block); next.isPresent(); next = tries.next(block)) {
            PlannedRun run = next.get();
            block = run.block();
            String text = run.variant().name() + run.run() + "/" + run.block();
            made.add(text);
            if (spoiled.contains(text) && tries.left(run.variant().name())) {
                tries.repeat(run);
            }
        }
        return made;
    }
}
