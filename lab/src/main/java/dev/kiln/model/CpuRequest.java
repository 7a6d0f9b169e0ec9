package dev.kiln.model;

import java.util.List;

/** Which CPUs each part of the lab is asked to run on. Empty lists mean: choose. */
public record CpuRequest(List<Integer> target, List<Integer> load, List<Integer> database) {
    public CpuRequest {
        target = List.copyOf(target);
        load = List.copyOf(load);
        database = List.copyOf(database);
    }

    public static CpuRequest auto() {
        return new CpuRequest(List.of(), List.of(), List.of());
    }
}
