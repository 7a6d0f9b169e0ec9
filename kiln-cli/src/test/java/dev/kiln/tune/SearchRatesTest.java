package dev.kiln.tune;

import static dev.kiln.tune.Simulated.DEFICIT;
import static dev.kiln.tune.Simulated.FAVOURED;
import static dev.kiln.tune.Simulated.PEAK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.experiment.Modifier;
import dev.kiln.tune.Simulated.Truth;
import dev.kiln.tune.Tuning.TuneVerdict;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** How often searches find a cure where there is none, and where there is one: 200 of each kind, with and without much time. */
class SearchRatesTest {
    private static final int SEARCHES = 200;

    /** Each search is right in 95 %. Of 200 that are wrong in 5 %, 20 or fewer are in 998 of 1,000 cases. */
    private static final int MOST_WRONG = 20;

    /**
     * A Kind is a service with its candidates.
     *
     * @param cures names of those that are a cure; none where a cure is a false one
     */
    private record Kind(String name, LongFunction<Simulated> service, List<String> cures) {}

    private static final List<Kind> KINDS = List.of(
            new Kind("duds: nothing, slower, breaking, with a lower peak, lucky", Simulated::duds, List.of()),
            new Kind("nothing does anything", SearchRatesTest::nothing, List.of()),
            new Kind("flags that nobody reads", SearchRatesTest::unread, List.of()),
            new Kind("nothing is lost that compilers could win", SearchRatesTest::compilers, List.of()),
            new Kind("three duds and a cure", SearchRatesTest::cure, List.of("cure")),
            new Kind("only favoured compilers cure", SearchRatesTest::bound, List.of("compiler-priority")));

    private static Simulated nothing(long seed) {
        return new Simulated(seed)
                .with("a", new Truth(DEFICIT))
                .with("b", new Truth(DEFICIT))
                .with("c", new Truth(DEFICIT))
                .with("d", new Truth(DEFICIT));
    }

    /** What they seem to gain is another thing's doing. */
    private static Simulated unread(long seed) {
        Simulated service = nothing(seed).with("x", new Truth(0.4 * DEFICIT)).with("y", new Truth(0.5 * DEFICIT));
        service.unread.addAll(List.of("x", "y"));
        return service;
    }

    private static Simulated compilers(long seed) {
        Truth nothing = new Truth(DEFICIT, PEAK, 0, 0.04);
        return new Simulated(seed)
                .with(FAVOURED, nothing)
                .with(new Modifier.XBatch(), nothing)
                .with(new Modifier.CiCompilerCount(3), nothing);
    }

    private static Simulated cure(long seed) {
        return new Simulated(seed)
                .with("nothing", new Truth(DEFICIT))
                .with("slower", new Truth(1.3 * DEFICIT))
                .with("lucky", new Truth(DEFICIT, PEAK, 0, 0.4))
                .with("cure", new Truth(0.4 * DEFICIT));
    }

    private static Simulated bound(long seed) {
        return new Simulated(seed)
                .with(new Modifier.VirtualThreads(), new Truth(DEFICIT))
                .with(new Modifier.XBatch(), new Truth(1.1 * DEFICIT))
                .with(FAVOURED, new Truth(0.4 * DEFICIT));
    }

    /** What searches came to; those with a cure that is none are counted apart. */
    private static final class Counts {
        private final Map<TuneVerdict, Integer> verdicts = new EnumMap<>(TuneVerdict.class);
        private int wrong;

        private int of(TuneVerdict verdict) {
            return verdicts.getOrDefault(verdict, 0);
        }
    }

    private static Counts counts(Kind kind, BudgetPlan plan, int runs) {
        Counts counts = new Counts();
        for (int seed = 1; seed <= SEARCHES; seed++) {
            Simulated trials = kind.service.apply(seed);
            trials.plan = plan;
            trials.runsLeft = runs;
            Tuning tuning = trials.search();
            counts.verdicts.merge(tuning.verdict(), 1, Integer::sum);
            // Together with one that does nothing a cure is one all the same.
            boolean cured = kind.cures.stream()
                    .anyMatch(cure -> tuning.winner()
                            .filter(proof -> proof.candidate().name().contains(cure))
                            .isPresent());
            counts.wrong += tuning.verdict() == TuneVerdict.IMPROVED && !cured ? 1 : 0;
        }
        return counts;
    }

    @Test
    void falseCuresAreAsRareAsTheConfidenceSays() {
        StringBuilder table = new StringBuilder("""
                | service | budget | improved | of them false | nothing to gain | cannot tell |
                |---|---|--:|--:|--:|--:|
                """);
        for (Kind kind : KINDS) {
            for (boolean small : new boolean[] {true, false}) {
                Counts counts = small
                        ? counts(kind, new BudgetPlan(1, 4, 4, 1), 11)
                        : counts(kind, new BudgetPlan(2, 8, 5, 9), 200);
                table.append("| %s | %s | %d | %d | %d | %d |\n"
                        .formatted(
                                kind.name,
                                small ? "11 runs" : "200 runs",
                                counts.of(TuneVerdict.IMPROVED),
                                counts.wrong,
                                counts.of(TuneVerdict.NOTHING_TO_GAIN),
                                counts.of(TuneVerdict.CANNOT_TELL)));
                assertThat(counts.wrong).as(table.toString()).isLessThanOrEqualTo(MOST_WRONG);
                if (!kind.cures.isEmpty()) {
                    assertThat(counts.of(TuneVerdict.NOTHING_TO_GAIN))
                            .as("a cure that is there is never denied\n" + table)
                            .isZero();
                }
            }
        }
        if (Boolean.getBoolean("kiln.print")) {
            System.out.print(table);
        }
    }
}
