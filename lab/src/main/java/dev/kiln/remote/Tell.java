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

/** A Tell is a message of an agent, written as one line of JSON: an answer, or an event in between. */
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "tell")
public sealed interface Tell {
    /** An Answer replies to a question, in the order of questions. */
    sealed interface Answer extends Tell {}

    /** An Event comes at any time. */
    sealed interface Event extends Tell {}

    /** A Time answers {@link Ask.Clock} with the agent's monotonic clock, in ns. */
    record Time(long number, long nanos) implements Tell {}

    /**
     * A Begun answers {@link Ask.Begin}.
     *
     * @param port free for a target
     * @param swept what an earlier agent left and this one removed, in words
     * @param connection as sshd has it in SSH_CONNECTION: Kiln's address and port, then the agent's
     */
    record Begun(int port, HostInfo host, List<String> swept, String connection) implements Answer {}

    /** A Reached answers {@link Ask.Reach}. */
    record Reached() implements Answer {}

    /**
     * A Launched answers {@link Ask.Launch}.
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

    /** A Recorded answers {@link Ask.StopRecording}, after all rows. */
    record Recorded(
            List<NotRecorded> notRecorded,
            List<String> notes,
            Optional<JvmInfo> jvm,
            long cpuNanos,
            Optional<String> failure)
            implements Answer {}

    /** A Stopped answers {@link Ask.StopTarget}, after all output of the target. */
    record Stopped() implements Answer {}

    /** A Failed comes in place of an answer. */
    record Failed(Exit exit, String what, String remedy) implements Answer {}

    /** A Rows event has new rows of one table of the evidence, each with its end of line. */
    record Rows(String file, String text) implements Event {}

    /** A Log event has new output of the target; each character is a byte. */
    record Log(String bytes) implements Event {}

    /** A Jvm event describes the target's JVM, and comes as soon as the JVM can be asked. */
    record Jvm(JvmInfo info) implements Event {}

    /** A C2 event has the load of the C2 threads in the last second. */
    record C2(CompilerLoad load) implements Event {}

    /** An Ended event says that the target has ended by itself. */
    record Ended(ExitCode exit) implements Event {}
}
