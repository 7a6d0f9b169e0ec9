package dev.kiln.explain;

/** The CPUs of load generator and database. */
final class LabLoad {
    private LabLoad() {}

    /** Whether they had no room left, and not because other programs took it. */
    static boolean saturated(Situation s) {
        return s.observed().labBusy().orElse(0) >= Thresholds.LAB_SATURATED
                && s.observed().labForeign().orElse(0) < Thresholds.FOREIGN;
    }

    /** CPU of the load generator, of one CPU. */
    static double generator(Situation s) {
        return s.part("load").map(Observed.PartUse::cpuShare).orElse(0.0);
    }

    /** CPU of the database, of one CPU. */
    static double database(Situation s) {
        return s.part("database").map(Observed.PartUse::cpuShare).orElse(0.0);
    }
}
