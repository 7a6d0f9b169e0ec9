package dev.kiln.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.ClockOffset.ClockExchange;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ClockOffsetTest {
    @Test
    void oneExchangeBoundsTheOffsetByItsWayThereAndBack() {
        assertThat(ClockOffset.of(List.of(new ClockExchange(1_000, 500, 1_400))))
                .isEqualTo(new ClockOffset(700, 200));
    }

    @Test
    void theBoundsOfAllExchangesTogetherAreNarrowerThanEach() {
        // The first says 500 to 900, the second 800 to 1,300.
        assertThat(ClockOffset.of(
                        List.of(new ClockExchange(1_000, 500, 1_400), new ClockExchange(2_000, 1_200, 2_500))))
                .isEqualTo(new ClockOffset(850, 50));
    }

    @Test
    void theTrueOffsetLiesWithinItsUncertainty() {
        SplittableRandom random = new SplittableRandom(7);
        for (int round = 0; round < 1_000; round++) {
            long truth = random.nextLong(-1_000_000_000_000L, 1_000_000_000_000L);
            List<ClockExchange> exchanges = new ArrayList<>();
            long now = random.nextLong(1_000_000_000L);
            for (int i = 0; i < 20; i++) {
                // The ways there and back differ, as they do where a link is loaded one way.
                long there = random.nextLong(20_000, 5_000_000);
                long back = random.nextLong(20_000, 400_000);
                exchanges.add(new ClockExchange(now, now + there - truth, now + there + back));
                now += there + back;
            }
            ClockOffset offset = ClockOffset.of(exchanges);
            assertThat(Math.abs(offset.nanos() - truth)).isLessThanOrEqualTo(offset.uncertaintyNanos());
        }
    }

    @Test
    void withoutAnExchangeNothingIsKnown() {
        assertThatThrownBy(() -> ClockOffset.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
