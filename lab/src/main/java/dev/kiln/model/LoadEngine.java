package dev.kiln.model;

/** What sends the load. */
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

    /** As it stands in an experiment file; of installed programs their name too. */
    public String id() {
        return id;
    }
}
