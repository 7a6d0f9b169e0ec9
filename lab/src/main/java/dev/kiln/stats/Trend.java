package dev.kiln.stats;

/** Where the tail is going. */
public enum Trend {
    LEVEL("level"),
    CLIMBING("climbing"),
    DECLINING("declining");

    private final String label;

    Trend(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
