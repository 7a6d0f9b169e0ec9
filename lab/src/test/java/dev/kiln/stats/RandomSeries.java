package dev.kiln.stats;

import java.util.Random;

/** Series of many shapes, in requests per second. */
enum RandomSeries {
    FLAT,
    STEPS,
    AUTOCORRELATED,
    RANDOM_WALK,
    RAMP,
    CONSTANT_PIECES,
    FEW_VALUES,
    IDLE_THEN_BUSY,
    CONSTANT;

    double[] draw(int n, long seed) {
        Random random = new Random(seed);
        double[] x = new double[n];
        double state = 0;
        double level = 4000;
        for (int i = 0; i < n; i++) {
            double noise = random.nextGaussian();
            if (random.nextInt(40) == 0) {
                level = 1000 + random.nextInt(8) * 1000;
            }
            state = 0.9 * state + noise;
            x[i] = switch (this) {
                case FLAT -> 8000 + 100 * noise;
                case STEPS -> level + 60 * noise;
                case AUTOCORRELATED -> 8000 + 100 * state;
                case RANDOM_WALK -> (i == 0 ? 8000 : x[i - 1]) + 20 * noise;
                case RAMP -> 8000 * (1 - Math.exp(-3.0 * i / n)) + 100 * noise;
                case CONSTANT_PIECES -> level;
                case FEW_VALUES -> random.nextInt(2);
                case IDLE_THEN_BUSY -> i < n * 3 / 4 ? 0 : 5000 + 50 * noise;
                case CONSTANT -> 5000.1;
            };
        }
        return x;
    }
}
