package dev.kiln.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Ways to split runs into two halves; in each, true is the current side.
 *
 * @param all whether these are all there are
 */
record Splits(List<boolean[]> list, boolean all) {
    /** All halves of 14 runs are 3,432; of more, as many are drawn. */
    private static final int MOST = 4000;

    private static final int MOST_RUNS_TRIED_OUT = 14;

    int count() {
        return list.size();
    }

    static Splits of(int runs) {
        List<boolean[]> out = new ArrayList<>();
        int half = runs / 2;
        if (runs <= MOST_RUNS_TRIED_OUT) {
            for (int bits = 0; bits < 1 << runs; bits++) {
                if (Integer.bitCount(bits) == half) {
                    boolean[] current = new boolean[runs];
                    for (int i = 0; i < runs; i++) {
                        current[i] = (bits >> i & 1) == 1;
                    }
                    out.add(current);
                }
            }
            return new Splits(out, true);
        }
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < MOST; i++) {
            out.add(drawn(runs, half, random));
        }
        return new Splits(out, false);
    }

    /** Each half equally likely (Knuth's selection sampling, algorithm S). */
    private static boolean[] drawn(int runs, int half, SplittableRandom random) {
        boolean[] current = new boolean[runs];
        int missing = half;
        for (int i = 0; i < runs; i++) {
            if (random.nextInt(runs - i) < missing) {
                current[i] = true;
                missing--;
            }
        }
        return current;
    }
}
