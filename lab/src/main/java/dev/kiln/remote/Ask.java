package dev.kiln.remote;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Where.AttachPoint;
import dev.kiln.recorder.Recording.DumpTimes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** An Ask is a question of Kiln to its agent beside a target, written as one line of JSON. */
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "ask")
public sealed interface Ask {
    /** A Begin asks the agent to reserve these CPUs and find a port. Only {@link ReadClock} may come before it. */
    record Begin(CpuRequest cpus) implements Ask {}

    /** A ReadClock asks for the time of the agent's monotonic clock. The answer has the same number. */
    record ReadClock(long number) implements Ask {}

    /** A Reach asks the agent to connect to a port of Kiln's machine. */
    record Reach(String address, int port) implements Ask {}

    /**
     * A LaunchTarget asks the agent to launch a target and record it.
     *
     * @param values for the placeholders in the texts
     * @param ports of that machine to which the load goes
     * @param jitQueries whether to ask its JVM for its compile queues and the like
     * @param threadDumps whether to dump its threads when {@link DumpThreads} says
     */
    record LaunchTarget(
            AskedProgram program,
            AskedJvm jvm,
            List<Modifier> modifiers,
            Map<String, String> values,
            Set<Integer> ports,
            boolean jitQueries,
            boolean threadDumps)
            implements Ask {
        /**
         * An AskedProgram is what is to be launched.
         *
         * @param directory working directory; empty for the agent's own
         */
        public record AskedProgram(
                List<String> command,
                List<String> arguments,
                Map<String, String> environment,
                Optional<String> directory) {}

        /**
         * An AskedJvm is what is to run it.
         *
         * @param jdk its version, which that machine has; empty for what the command finds by itself
         */
        public record AskedJvm(Optional<String> jdk, List<String> flags) {}
    }

    /**
     * An AttachTarget asks the agent to find a process that runs there already, and to record it.
     *
     * @param ports of which the process below it that listens is recorded in detail
     * @param jitQueries whether to ask its JVM for its compile queues and the like
     * @param threadDumps whether to dump its threads when {@link DumpThreads} says
     * @param sinceNanos the agent's monotonic clock before which it must not have been started; empty where any age will do
     */
    record AttachTarget(
            AttachPoint point, Set<Integer> ports, boolean jitQueries, boolean threadDumps, OptionalLong sinceNanos)
            implements Ask {
        /** Returns the same for a process that must be new. */
        AttachTarget since(long nanos) {
            return new AttachTarget(point, ports, jitQueries, threadDumps, OptionalLong.of(nanos));
        }
    }

    /** A DumpThreads asks the agent to dump the target's threads at these moments of the agent's clock. */
    record DumpThreads(DumpTimes times) implements Ask {}

    /** A StopRecording asks the agent to end the recording, not the target. */
    record StopRecording() implements Ask {}

    /**
     * A StopTarget asks the agent to end the target, and to kill what is left of it after a grace period. One that ran before
     * goes on.
     */
    record StopTarget(long graceMillis) implements Ask {}
}
