package dev.kiln.model;

/** What sends the load. */
public enum LoadEngine {
    /** Kiln's own driver. */
    KILN("kiln"),
    WRK("wrk"),
    H2LOAD("h2load"),
    GATLING("gatling");

    private final String id;

    LoadEngine(String id) {
        this.id = id;
    }

    /** As it stands in an experiment file; of the others the program's name too. */
    public String id() {
        return id;
    }
}
