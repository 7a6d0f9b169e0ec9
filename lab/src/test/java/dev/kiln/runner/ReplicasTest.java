package dev.kiln.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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
}
