package dev.kiln.stats;

/** Why there is no steady state; {@link #LEVEL} where there is one, or where the tail shows no direction. */
public enum SubLabel {
    LEVEL("level"),
    CLIMBING("climbing"),
    DECLINING("declining"),
    OSCILLATING("oscillating");

    private final String label;

    SubLabel(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
