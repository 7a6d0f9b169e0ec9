package dev.kiln.remote;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What Kiln asks of its agent on another machine; one line of JSON each. */
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "ask")
public sealed interface Ask {
    /** Take possession of CPUs and find a port; the first of all, but for {@link Clock}. */
    record Begin(CpuRequest cpus) implements Ask {}

    /** The time of your monotonic clock. The answer bears the same number. */
    record Clock(long number) implements Ask {}

    /**
     * Launch a target and record it.
     *
     * @param directory working directory; empty for the agent's own
     * @param values of placeholders in the texts
     * @param jitQueries whether its JVM is asked for its compile queues and the like
     */
    record Launch(
            List<String> command,
            Map<String, String> environment,
            Optional<String> directory,
            List<String> jvmFlags,
            List<String> arguments,
            List<Modifier> modifiers,
            Map<String, String> values,
            boolean jitQueries)
            implements Ask {}

    /** End the recording, not the target. */
    record StopRecording() implements Ask {}

    /** End the target, killing what is left of it after a time. */
    record StopTarget(long graceMillis) implements Ask {}
}
