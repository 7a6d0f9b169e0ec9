package dev.kiln.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014), written out so that a
 * recorded seed gives the same order on every JDK and can be checked in any language. {@code java.util.Random} is
 * specified too, but its first values hardly differ between small seeds.
 */
final class SplitMix {
    private long state;

    SplitMix(long seed) {
        this.state = seed;
    }

    long next() {
        state += 0x9e3779b97f4a7c15L;
        long z = state;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** From 0 to {@code bound - 1}; the upper half of the product, whose bias is below 2^-58 for any number of variants. */
    int next(int bound) {
        return (int) Math.unsignedMultiplyHigh(next(), bound);
    }

    /** Fisher-Yates from the end, as Knuth has it (TAOCP 3.4.2, algorithm P). */
    <T> List<T> shuffled(List<T> items) {
        List<T> shuffled = new ArrayList<>(items);
        for (int i = shuffled.size() - 1; i > 0; i--) {
            int j = next(i + 1);
            T swapped = shuffled.get(i);
            shuffled.set(i, shuffled.get(j));
            shuffled.set(j, swapped);
        }
        return List.copyOf(shuffled);
    }
}
