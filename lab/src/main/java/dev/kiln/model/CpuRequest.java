package dev.kiln.model;

import java.util.List;

/**
 * Which CPUs each part of the lab is asked to run on. Empty lists mean: choose.
 *
 * @param targetElsewhere all targets run on other machines, and {@code target} names CPUs of those
 * @param noDatabase Kiln starts none, so nothing can share its CPUs
 */
public record CpuRequest(
        List<Integer> target, List<Integer> load, List<Integer> database, boolean targetElsewhere, boolean noDatabase) {
    public CpuRequest(List<Integer> target, List<Integer> load, List<Integer> database) {
        this(target, load, database, false, false);
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
        return new CpuRequest(target, load, database, true, noDatabase);
    }

    public CpuRequest withoutDatabase() {
        return new CpuRequest(target, load, database, targetElsewhere, true);
    }
}
