package dev.kiln.remote;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.experiment.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Questions of Kiln to its agent on another machine, each one line of JSON. */
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "ask")
public sealed interface Ask {
    /** Take these CPUs and find a port. Only {@link Clock} may come before it. */
    record Begin(CpuRequest cpus) implements Ask {}

    /** Tell the time of your monotonic clock. The answer has the same number. */
    record Clock(long number) implements Ask {}

    /** Connect to a port of Kiln's machine. */
    record Reach(String address, int port) implements Ask {}

    /**
     * Launch a target and record it.
     *
     * @param directory working directory; empty for the agent's own
     * @param jdk version of the JDK that is to run it, which that machine has; empty for what the command finds by itself
     * @param values for the placeholders in the texts
     * @param ports of that machine to which the load goes
     * @param jitQueries whether to ask its JVM for its compile queues and the like
     */
    record Launch(
            List<String> command,
            Map<String, String> environment,
            Optional<String> directory,
            Optional<String> jdk,
            List<String> jvmFlags,
            List<String> arguments,
            List<Modifier> modifiers,
            Map<String, String> values,
            Set<Integer> ports,
            boolean jitQueries)
            implements Ask {}

    /** End the recording, not the target. */
    record StopRecording() implements Ask {}

    /** End the target, and kill what is left of it after a grace period. */
    record StopTarget(long graceMillis) implements Ask {}
}
