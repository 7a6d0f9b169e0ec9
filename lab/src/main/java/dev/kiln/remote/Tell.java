package dev.kiln.remote;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.kiln.host.process.ExitCode;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.run.RunInfo.HostInfo;
import dev.kiln.model.run.RunInfo.JvmInfo;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.recorder.Recording.CompilerLoad;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Messages of an agent, each one line of JSON: answers, and events in between. */
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "tell")
public sealed interface Tell {
    /** Answers a question, in the order of questions. */
    sealed interface Answer extends Tell {}

    /** Comes at any time. */
    sealed interface Event extends Tell {}

    /** Answers {@link Ask.Clock} with the agent's monotonic clock, in ns. */
    record Time(long number, long nanos) implements Tell {}

    /**
     * Answers {@link Ask.Begin}.
     *
     * @param port free for a target
     * @param swept what an earlier agent left and this one removed, in words
     * @param connection as sshd has it in SSH_CONNECTION: Kiln's address and port, then the agent's
     */
    record Begun(int port, HostInfo host, List<String> swept, String connection) implements Answer {}

    /** Answers {@link Ask.Reach}. */
    record Reached() implements Answer {}

    /**
     * Answers {@link Ask.Launch}.
     *
     * @param nanos the agent's monotonic clock at the launch
     * @param command including the words that pin it
     * @param environment added to the agent's own
     * @param modifiers as they took effect
     */
    record Launched(
            long nanos,
            List<String> command,
            Map<String, String> environment,
            List<String> modifiers,
            CpuAssignment cpus)
            implements Answer {}

    /** Answers {@link Ask.StopRecording}, after all rows. */
    record Recorded(
            List<NotRecorded> notRecorded,
            List<String> notes,
            Optional<JvmInfo> jvm,
            long cpuNanos,
            Optional<String> failure)
            implements Answer {}

    /** Answers {@link Ask.StopTarget}, after all output of the target. */
    record Stopped() implements Answer {}

    /** Comes in place of an answer. */
    record Failed(Exit exit, String what, String remedy) implements Answer {}

    /** Rows of one table of the evidence, each with its end of line. */
    record Rows(String file, String text) implements Event {}

    /** Output of the target; each character is a byte. */
    record Log(String bytes) implements Event {}

    /** What the JVM says of itself, as soon as it is known. */
    record Jvm(JvmInfo info) implements Event {}

    /** What the C2 threads did in the last second. */
    record C2(CompilerLoad load) implements Event {}

    /** The target has ended by itself. */
    record Ended(ExitCode exit) implements Event {}
}
