package dev.kiln.remote;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.kiln.host.process.ExitCode;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.run.Attached;
import dev.kiln.model.run.Machine.HostInfo;
import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.recorder.Recording.CompilerLoad;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A Tell is a message of an agent, written as one line of JSON: an answer, or an event in between. */
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "tell")
public sealed interface Tell {
    /** An AgentAnswer replies to a question, in the order of questions. */
    sealed interface AgentAnswer extends Tell {}

    /** An Event comes at any time. */
    sealed interface Event extends Tell {}

    /** A Time answers {@link Ask.ReadClock} with the agent's monotonic clock, in ns. */
    record Time(long number, long nanos) implements Tell {}

    /**
     * A Begun answers {@link Ask.Begin}.
     *
     * @param protocol of that agent
     * @param epochMillis the wall clock there
     * @param port free for a target
     * @param swept what an earlier agent left and this one removed, in words
     * @param connection as sshd has it in SSH_CONNECTION: Kiln's address and port, then the agent's
     */
    record Begun(int protocol, long epochMillis, int port, List<String> swept, String connection)
            implements AgentAnswer {}

    /** A Reached answers {@link Ask.Reach}. */
    record Reached() implements AgentAnswer {}

    /**
     * A Launched answers {@link Ask.LaunchTarget} and {@link Ask.AttachTarget}.
     *
     * @param nanos the agent's monotonic clock at the launch, or when it attached; at the start of a process that had to be new
     * @param command including the words that pin it
     * @param environment added to the agent's own
     * @param modifiers as they took effect
     * @param host with the CPUs that the target may use
     * @param attached how long it had run when the agent found it; empty for one that was launched
     */
    record Launched(
            long nanos,
            List<String> command,
            Map<String, String> environment,
            List<String> modifiers,
            CpuAssignment cpus,
            HostInfo host,
            Optional<Attached> attached)
            implements AgentAnswer {
        /** Returns the answer with the name of the process as the user gave it. */
        Launched named(String to) {
            return new Launched(
                    nanos,
                    command,
                    environment,
                    modifiers,
                    cpus,
                    host,
                    attached.map(it -> new Attached(to, it.pid(), it.ageNanos(), it.cpuNanos())));
        }
    }

    /** A DumpsPlanned answers {@link Ask.DumpThreads}. */
    record DumpsPlanned() implements AgentAnswer {}

    /** A RecordingEnded answers {@link Ask.StopRecording}, after all rows. */
    record RecordingEnded(
            List<NotRecorded> notRecorded,
            List<String> notes,
            Optional<JvmInfo> jvm,
            long cpuNanos,
            Optional<String> failure)
            implements AgentAnswer {}

    /** A TargetStopped answers {@link Ask.StopTarget}, after all output of the target. */
    record TargetStopped() implements AgentAnswer {}

    /** A Failed comes in place of an answer. */
    record Failed(Exit exit, String what, String remedy) implements AgentAnswer {}

    /** A NewRows event has new rows of one table of the evidence, each with its end of line. */
    record NewRows(String file, String text) implements Event {}

    /** A TargetOutput event has new output of the target; each character is a byte. */
    record TargetOutput(String bytes) implements Event {}

    /** A TargetJvm event describes the target's JVM, and comes as soon as the JVM can be asked. */
    record TargetJvm(JvmInfo info) implements Event {}

    /** A C2 event has the load of the C2 threads in the last second. */
    record C2(CompilerLoad load) implements Event {}

    /** A TargetEnded event says that the target has ended by itself, and how, where the agent started it. */
    record TargetEnded(Optional<ExitCode> exit) implements Event {}
}
