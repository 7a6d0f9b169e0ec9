package dev.kiln.model;

import java.util.List;
import java.util.stream.Stream;

/**
 * A CpuAssignment names the CPUs that each part of the lab is pinned to. Kiln itself runs on the load's CPUs.
 *
 * @param pinned false where this machine does not let processes be pinned
 * @param notes what shares what, in words; empty when every part has CPUs of its own
 */
public record CpuAssignment(
        List<Integer> target, List<Integer> load, List<Integer> database, boolean pinned, List<String> notes) {
    public CpuAssignment {
        target = List.copyOf(target);
        load = List.copyOf(load);
        database = List.copyOf(database);
        notes = List.copyOf(notes);
    }

    /** Returns the same assignment with more to know of what it shares. */
    public CpuAssignment noting(List<String> more) {
        return new CpuAssignment(
                target,
                load,
                database,
                pinned,
                Stream.concat(notes.stream(), more.stream()).toList());
    }

    /**
     * A CpuRequest names the CPUs that each part of the lab is asked to run on. Empty lists mean: choose.
     *
     * @param targetElsewhere all targets run on other machines, and {@code target} names CPUs of those
     * @param behind what Kiln runs on the CPUs of the database, in a word; empty for nothing, which shares no CPU
     * @param loaded whether load is sent; without any, only what shares the target's CPUs matters
     */
    public record CpuRequest(
            List<Integer> target,
            List<Integer> load,
            List<Integer> database,
            boolean targetElsewhere,
            String behind,
            boolean loaded) {
        public CpuRequest(List<Integer> target, List<Integer> load, List<Integer> database) {
            this(target, load, database, false, "database", true);
        }

        public CpuRequest {
            target = List.copyOf(target);
            load = List.copyOf(load);
            database = List.copyOf(database);
        }

        public static CpuRequest auto() {
            return new CpuRequest(List.of(), List.of(), List.of());
        }

        public CpuRequest withTargetElsewhere() {
            return new CpuRequest(target, load, database, true, behind, loaded);
        }

        public CpuRequest withoutDatabase() {
            return withBehind("");
        }

        public CpuRequest withBehind(String what) {
            return new CpuRequest(target, load, database, targetElsewhere, what, loaded);
        }

        /** Returns the request of what is started and gets no load. */
        public CpuRequest withoutLoad() {
            return new CpuRequest(target, load, database, targetElsewhere, behind, false);
        }
    }
}
