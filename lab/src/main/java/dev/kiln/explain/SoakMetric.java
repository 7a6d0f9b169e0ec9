package dev.kiln.explain;

/** What is watched over a soak, and in which direction it must not go. */
public enum SoakMetric {
    THROUGHPUT("throughput", "req/s", false),
    P99("p99 response time", "ms", true),
    RSS("resident memory", "MiB", true),
    HEAP("heap after collections", "MiB", true);

    private final String label;
    private final String unit;
    private final boolean badWhenRising;

    SoakMetric(String label, String unit, boolean badWhenRising) {
        this.label = label;
        this.unit = unit;
        this.badWhenRising = badWhenRising;
    }

    public String label() {
        return label;
    }

    public String unit() {
        return unit;
    }

    public boolean badWhenRising() {
        return badWhenRising;
    }
}
