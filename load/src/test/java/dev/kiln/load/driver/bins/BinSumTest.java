package dev.kiln.load.driver.bins;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Bins of several event loops, which hand them over when it suits them. */
class BinSumTest {
    private final BinQueue first = new BinQueue();
    private final BinQueue second = first.another();
    private final BinSum sum = new BinSum();

    private static void handOver(BinQueue queue, long from, long to, long completed, boolean last) {
        Bin bin = Objects.requireNonNull(queue.takeFree());
        bin.begin(from, to);
        bin.completed = completed;
        bin.backlog = completed + 1;
        bin.lagNanos = completed;
        bin.last = last;
        queue.handOver(bin);
    }

    private String next() {
        Bin bin = sum.next();
        String text = text(bin);
        if (bin != null) {
            bin.giveBack();
        }
        return text;
    }

    private static String text(@Nullable Bin bin) {
        return bin == null
                ? "none"
                : bin.startNanos + "-" + bin.endNanos + ": " + bin.completed + " backlog " + bin.backlog + " lag "
                        + bin.lagNanos;
    }

    @Test
    void thoseOfOneLoopStayAsTheyAre() {
        sum.begin(List.of(first), 0);
        handOver(first, 0, 10, 1, false);
        handOver(first, 10, 20, 2, true);
        assertThat(next()).isEqualTo("0-10: 1 backlog 2 lag 1");
        assertThat(sum.hasEnded()).isFalse();
        assertThat(next()).isEqualTo("10-20: 2 backlog 3 lag 2");
        assertThat(next()).isEqualTo("none");
        assertThat(sum.hasEnded()).isTrue();
    }

    @Test
    void aBinIsWholeOnceAllLoopsHaveHandedItOver() {
        sum.begin(List.of(first, second), 0);
        handOver(first, 0, 10, 1, false);
        handOver(first, 10, 20, 2, false);
        assertThat(next()).isEqualTo("none");
        handOver(second, 0, 10, 3, false);
        assertThat(next()).isEqualTo("0-10: 4 backlog 6 lag 3");
        assertThat(next()).isEqualTo("none");
    }

    @Test
    void binsThatGrewTakeInThoseOfTheSameTime() {
        sum.begin(List.of(first, second), 0);
        handOver(first, 0, 30, 1, false);
        handOver(second, 0, 10, 2, false);
        handOver(second, 10, 50, 3, false);
        assertThat(next()).isEqualTo("none");
        handOver(first, 30, 40, 4, false);
        handOver(first, 40, 50, 5, false);
        assertThat(next()).as("the backlog is that at its end").isEqualTo("0-50: 15 backlog 10 lag 5");
    }

    @Test
    void aLoopMayEndBeforeTheOther() {
        sum.begin(List.of(first, second), 0);
        handOver(first, 0, 7, 1, true);
        handOver(second, 0, 10, 2, false);
        handOver(second, 10, 12, 3, true);
        assertThat(next()).isEqualTo("0-10: 3 backlog 5 lag 2");
        assertThat(next()).startsWith("10-12: 3 ");
        assertThat(sum.hasEnded()).isTrue();
    }

    @Test
    void aLoopThatComesLaterBeginsWhereTheOthersAre() {
        sum.begin(List.of(first), 100);
        handOver(first, 100, 110, 1, false);
        handOver(first, 110, 120, 2, false);
        assertThat(next()).startsWith("100-110: 1 ");
        assertThat(sum.join(second)).isEqualTo(OptionalLong.of(110));
        assertThat(next()).isEqualTo("none");
        handOver(second, 110, 120, 3, true);
        assertThat(next()).startsWith("110-120: 5 ");
        handOver(first, 120, 130, 4, true);
        assertThat(next()).startsWith("120-130: 4 ");
        assertThat(sum.join(second)).as("the phase has ended").isEmpty();
    }
}
