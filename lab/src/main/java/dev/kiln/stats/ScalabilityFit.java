package dev.kiln.stats;

/** What throughputs at several numbers of connections say of the universal scalability law. */
public sealed interface ScalabilityFit permits UniversalScalability, ScalabilityFit.TooFewLevels {

    /**
     * So few levels do not give three coefficients with their uncertainty.
     *
     * @param levels different numbers of connections with a throughput
     * @param needed different levels that it takes
     * @param why for people
     */
    record TooFewLevels(int levels, int needed, String why) implements ScalabilityFit {}
}
