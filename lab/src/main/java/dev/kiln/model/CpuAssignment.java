package dev.kiln.model;

import java.util.List;

/**
 * The CPUs each part of the lab is pinned to. Kiln itself runs on the load's CPUs.
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
}
