package dev.kiln.engines;

import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * A run as the controller tells it.
 *
 * @param terminated its phases are over
 * @param written its figures are in the controller's files
 * @param cancelled it was killed
 * @param phases statuses of those that are there
 * @param failedPhases that broke a rule of the benchmark
 * @param errors in the controller's words; a warning of an agent is one too
 */
record HyperfoilState(
        boolean terminated,
        boolean written,
        boolean cancelled,
        List<String> phases,
        List<String> failedPhases,
        List<String> errors) {
    static final HyperfoilState UNKNOWN = new HyperfoilState(false, false, false, List.of(), List.of(), List.of());

    HyperfoilState {
        phases = List.copyOf(phases);
        failedPhases = List.copyOf(failedPhases);
        errors = List.copyOf(errors);
    }

    static HyperfoilState of(JsonNode run) {
        boolean terminated =
                !run.path("terminated").isNull() && !run.path("terminated").isMissingNode();
        // Versions before 0.28 do not tell it.
        boolean written = run.path("persisted").isMissingNode()
                ? terminated
                : run.path("persisted").asBoolean(false);
        return new HyperfoilState(
                terminated,
                written,
                run.path("cancelled").asBoolean(false),
                run.path("phases")
                        .valueStream()
                        .map(phase -> phase.path("status").asString(""))
                        .toList(),
                run.path("phases")
                        .valueStream()
                        .filter(phase -> phase.path("failed").asBoolean(false))
                        .map(phase -> phase.path("name").asString(""))
                        .toList(),
                run.path("errors")
                        .valueStream()
                        .map(error -> error.asString(""))
                        .toList());
    }

    /** Of a phase's status: whether it has sent anything. */
    static boolean begun(String status) {
        return !status.isEmpty() && !status.equals("NOT_STARTED");
    }
}
