package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.DatabaseSpec;
import dev.kiln.model.experiment.Experiment.PlannedRun;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.load.Sending;
import dev.kiln.plan.Schedule.SplitMix;
import dev.kiln.plan.load.Protocols;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ScheduleTest {
    /** First outputs of SplitMix64 for seed 1234567, as published with the reference implementation. */
    @Test
    void theGeneratorIsSplitMix64() {
        SplitMix random = new SplitMix(1234567);
        assertThat(List.of(random.next(), random.next(), random.next()))
                .containsExactly(
                        6457827717110365317L, 3203168211198807973L, Long.parseUnsignedLong("9817491932198370423"));
    }

    @Test
    void eachBlockHoldsEveryVariantOnce() {
        Schedule schedule = Schedule.of(experiment(4, 5, 7));
        for (int block = 0; block < 5; block++) {
            List<PlannedRun> runs = schedule.runs().subList(block * 4, block * 4 + 4);
            int number = block + 1;
            assertThat(runs).allMatch(run -> run.block() == number && run.run() == number);
            assertThat(runs).extracting(run -> run.variant().name()).containsExactlyInAnyOrder("a", "b", "c", "d");
        }
    }

    @Test
    void theSeedFixesTheOrder() {
        assertThat(order(experiment(3, 4, 42))).isEqualTo("bac bca cba cba");
        assertThat(order(experiment(3, 4, 43))).isNotEqualTo(order(experiment(3, 4, 42)));
    }

    @Test
    void seedsDrawEveryOrderAboutEquallyOften() {
        Map<String, Integer> orders = new HashMap<>();
        for (int seed = 0; seed < 6000; seed++) {
            orders.merge(order(experiment(3, 1, seed)), 1, Integer::sum);
        }
        // 1000 each are expected, with a standard deviation of 29.
        assertThat(orders).hasSize(6);
        assertThat(orders.values()).allMatch(count -> count > 850 && count < 1150);
    }

    @Test
    void theEstimateGrowsWithTheRuns() {
        Duration one = Schedule.of(experiment(2, 1, 1)).estimate();
        Duration two = Schedule.of(experiment(2, 2, 1)).estimate();
        assertThat(one).isGreaterThan(Duration.ofSeconds(2 * 52));
        assertThat(two.minus(one)).isGreaterThan(Duration.ofSeconds(2 * 52));
    }

    @Test
    void aSearchForTheReferenceTakesLongerAtMost() {
        Schedule fixed = Schedule.of(experiment(2, 1, 1));
        assertThat(fixed.atMost()).isEqualTo(fixed.estimate());
        Schedule search = Schedule.of(experiment(2, 1, 1).with(Protocols.usual()));
        assertThat(search.atMost().minus(search.estimate())).isEqualTo(Duration.ofSeconds(2 * (8 * 75 - 4 * 25)));
    }

    private static String order(Experiment experiment) {
        StringBuilder order = new StringBuilder();
        int block = 1;
        for (PlannedRun run : Schedule.of(experiment).runs()) {
            order.append(run.block() > block ? " " : "").append(run.variant().name());
            block = run.block();
        }
        return order.toString();
    }

    private static Experiment experiment(int variants, int runs, long seed) {
        Target target = new Target(
                new Target.Program(List.of("java"), List.of(), Map.of(), Optional.empty()),
                Target.Jvm.USUAL,
                new ReadySign.FirstResponse(Duration.ofMinutes(2)));
        return new Experiment(
                "test",
                "abcdef"
                        .substring(0, variants)
                        .chars()
                        .mapToObj(name -> new Variant(Character.toString(name), target))
                        .toList(),
                Protocols.quick(),
                new LoadTemplate(
                        List.of(),
                        new Sending(1, OptionalDouble.empty(), Duration.ofSeconds(1)),
                        LoadTemplate.LoadEngine.KILN,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()),
                new Experiment.Setting(new DatabaseSpec.None(), CpuRequest.auto(), false, false, List.of()),
                Runs.fixed(runs),
                seed,
                List.of());
    }
}
