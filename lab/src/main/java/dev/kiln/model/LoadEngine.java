package dev.kiln.model;

/**
 * What sends the load, by name. An experiment file, {@code --engine} and the schema know these names; what an engine can do is
 * in {@code engines}.
 */
public enum LoadEngine {
    /** Kiln's own driver. */
    KILN("kiln"),
    WRK("wrk"),
    H2LOAD("h2load"),
    GATLING("gatling"),
    /** A controller of Hyperfoil and its agents. */
    HYPERFOIL("hyperfoil");

    private final String id;

    LoadEngine(String id) {
        this.id = id;
    }

    /** As an experiment file names it. An installed program has the same name. */
    public String id() {
        return id;
    }
}
