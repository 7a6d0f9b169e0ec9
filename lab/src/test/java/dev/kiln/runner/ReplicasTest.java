package dev.kiln.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.recorder.Recording.CompilerLoad;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ReplicasTest {
    @Test
    void startsThatAreApartAreSaid() {
        assertThat(Replicas.apart(List.of(5_000_000_000L, 9_240_000_000L, 4_800_000_000L), "pod shop/checkout-1"))
                .contains(
                        "the replicas started within 4.4 s; the times of the run, such as that to the peak, count from the start of"
                                + " pod shop/checkout-1");
        assertThat(Replicas.apart(List.of(5_000_000_000L, 5_900_000_000L), "pod shop/checkout-1"))
                .isEmpty();
    }

    private static Optional<CompilerLoad> load(double cpu, OptionalInt queue) {
        return Optional.of(new CompilerLoad(cpu, 0, 10, 1, 0, queue));
    }

    /** The one whose compilers ask for most need not be the one for whose C2 methods wait. */
    @Test
    void theCompilersOfAllReplicasCount() {
        CompilerLoad both = Replicas.busiest(List.of(load(0.04, OptionalInt.of(0)), load(0.01, OptionalInt.of(300))))
                .orElseThrow();

        assertThat(both.cpuShare()).isEqualTo(0.04);
        assertThat(both.c2Queue()).hasValue(300);
        assertThat(Replicas.busiest(List.of(load(0.04, OptionalInt.of(0)), load(0.01, OptionalInt.empty())))
                        .orElseThrow()
                        .c2Queue())
                .isEmpty();
        assertThat(Replicas.busiest(List.of(load(0.04, OptionalInt.of(0)), Optional.empty())))
                .isEmpty();
    }
}
