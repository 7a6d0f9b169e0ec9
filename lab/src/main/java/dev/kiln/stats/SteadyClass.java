package dev.kiln.stats;

/** Classes of Barrett et al., "Virtual Machine Warmup Blows Hot and Cold" (OOPSLA 2017). */
public enum SteadyClass {
    FLAT("flat"),
    WARMUP("warmup"),
    SLOWDOWN("slowdown"),
    NO_STEADY_STATE("no steady state");

    private final String label;

    SteadyClass(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
