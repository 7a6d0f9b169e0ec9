package dev.kiln.explain;

/** What is followed from experiment to experiment. Each is one figure a run. */
public enum PastMetric {
    START("start", "s", false),
    FIRST_RESPONSE("firstResponse", "s", false),
    END_OF_WARMUP("endOfWarmup", "req/s", true),
    /** After the pause; the run's own where the protocol has none. */
    PEAK("peak", "req/s", true),
    /** To 90 % of the reference peak; of the run's own where there is none. */
    T90("t90", "s", false),
    /** Lost requests as seconds at the peak; 0 or less where nothing was lost. */
    DEFICIT("deficit", "s", false),
    REQUESTS("requests", "requests", true),
    MAX_RSS("maxRss", "bytes", false),
    /** Of one CPU, in the second half of the warm-up. */
    C2_WAIT("c2Wait", "share", false),
    COMPILATIONS("compilations", "methods", false),
    COMPILE_TIME("compileTime", "s", false);

    private final String key;
    private final String unit;
    private final boolean higherIsBetter;

    PastMetric(String key, String unit, boolean higherIsBetter) {
        this.key = key;
        this.unit = unit;
        this.higherIsBetter = higherIsBetter;
    }

    public String key() {
        return key;
    }

    public String unit() {
        return unit;
    }

    public boolean higherIsBetter() {
        return higherIsBetter;
    }
}
