package dev.kiln.load.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.Sending.Arrivals;
import dev.kiln.model.load.Shape;
import dev.kiln.model.load.Shape.Of;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When requests are due, by the clock alone. */
class PaceTest {
    private static final long SECOND = 1_000_000_000;

    private static LoadSpec load(OptionalDouble rate, Arrivals arrivals) {
        return new LoadSpec(List.of(), 200, rate, Duration.ofSeconds(1)).with(arrivals);
    }

    private static Pace pace(LoadSpec load, int seconds, Optional<Shape> shape) {
        return new Pace(
                load,
                new Phase.Load("load", Duration.ofSeconds(seconds), Optional.empty(), shape, Optional.empty()),
                Optional.empty());
    }

    private static Pace shaped(Shape shape) {
        return pace(load(OptionalDouble.of(500), Arrivals.EVEN), 30, Optional.of(shape));
    }

    /** Requests due in each second, as they are sent. */
    private static long[] perSecond(Pace pace, int seconds) {
        long[] due = new long[seconds];
        for (long at = pace.nextDue(); at < seconds * SECOND; at = pace.nextDue()) {
            due[(int) (at / SECOND)]++;
            pace.sent();
        }
        return due;
    }

    @Test
    void anEvenRateIsDueAtEqualDistances() {
        Pace pace = pace(load(OptionalDouble.of(4), Arrivals.EVEN), 10, Optional.empty());

        assertThat(pace.isOpen()).isTrue();
        assertThat(IntStream.range(0, 5).mapToLong(i -> {
                    long due = pace.nextDue();
                    pace.sent();
                    return due;
                }))
                .containsExactly(0L, SECOND / 4, SECOND / 2, 3 * SECOND / 4, SECOND);
        assertThat(pace.dueBy(SECOND - 1)).isEqualTo(4);
        assertThat(pace.dueBy(SECOND)).isEqualTo(5);
        assertThat(pace.dueBy(10 * SECOND))
                .as("those of the phase, and no more")
                .isEqualTo(40);
    }

    @Test
    void aRampOfTheRateDeliversEachSecondsShare() {
        long[] due = perSecond(shaped(Shape.ramp(Of.RATE, 0, 3000)), 30);

        for (int second = 0; second < 30; second++) {
            assertThat((double) due[second]).isCloseTo(100 * (second + 0.5), within(1 + 0.01 * 100 * second));
        }
        assertThat(IntStream.range(0, 30).mapToLong(i -> due[i]).sum()).isEqualTo(45_000);
    }

    @Test
    void stepsAreOfEqualLength() {
        assertThat(perSecond(shaped(Shape.steps(Of.RATE, 100, 300, 3)), 30))
                .startsWith(100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 200)
                .endsWith(200, 300, 300, 300, 300, 300, 300, 300, 300, 300, 300);
    }

    /** Envoy: 10 % at least, and after t of a window of w seconds the share (t / w) ^ (1 / aggression). */
    @Test
    void aSlowStartFollowsEnvoysFormula() {
        long[] linear = perSecond(shaped(Shape.slowStart(1, 0.1)), 30);
        assertThat(linear[0]).isEqualTo(50);
        assertThat(linear[1]).isEqualTo(50);
        assertThat((double) linear[15]).isCloseTo(500 * 15.5 / 30, within(2.0));

        long[] fast = perSecond(shaped(Shape.slowStart(2, 0.1)), 30);
        assertThat((double) fast[15]).isCloseTo(500 * Math.sqrt(15.5 / 30), within(2.0));
        assertThat(fast[29]).isGreaterThan(490);
    }

    @Test
    void withoutARateASlowStartIsOfTheConnections() {
        Pace pace = pace(load(OptionalDouble.empty(), Arrivals.EVEN), 30, Optional.of(Shape.slowStart(1, 0.1)));

        assertThat(pace.isOpen()).isFalse();
        assertThat(pace.connections(0)).isEqualTo(20);
        assertThat(pace.connections(15 * SECOND)).isEqualTo(100);
        assertThat(pace.connections(30 * SECOND)).isEqualTo(200);
    }

    @Test
    void aRampOfConnectionsBeginsWithOne() {
        Pace pace = shaped(Shape.ramp(Of.CONNECTIONS, 0, 150));

        assertThat(pace.connections(0)).isEqualTo(1);
        assertThat(pace.connections(15 * SECOND)).isEqualTo(75);
        assertThat(pace.connections(30 * SECOND)).isEqualTo(150);
        assertThat(perSecond(pace, 30)).as("the rate stays").containsOnly(500);
    }

    /** Of a Poisson process, the variance of what is due in a second is its mean. */
    @Test
    void poissonArrivalsVaryAsTheyShould() {
        LoadSpec poisson = load(OptionalDouble.of(100), Arrivals.POISSON);
        long[] due = perSecond(pace(poisson, 1000, Optional.empty()), 1000);

        double mean = IntStream.range(0, 1000).mapToLong(i -> due[i]).average().orElseThrow();
        double variance = IntStream.range(0, 1000)
                .mapToDouble(i -> (due[i] - mean) * (due[i] - mean))
                .average()
                .orElseThrow();
        assertThat(mean).isCloseTo(100, within(1.5));
        assertThat(variance / mean).isCloseTo(1, within(0.15));
        assertThat(perSecond(pace(poisson, 1000, Optional.empty()), 1000))
                .as("equal loads send at equal moments")
                .isEqualTo(due);
    }

    /** What waits is counted by the same moments, though none of it was sent. */
    @Test
    void whatWaitsIsCountedAsItWouldBeSent() {
        LoadSpec poisson = load(OptionalDouble.of(100), Arrivals.POISSON);
        Pace sent = pace(poisson, 20, Optional.empty());
        Pace counted = pace(poisson, 20, Optional.empty());
        long before = 0;
        for (long due : perSecond(sent, 20)) {
            before += due;
        }
        assertThat(counted.dueBy(20 * SECOND - 1)).isEqualTo(before);
    }
}
