package dev.kiln.remote;

import dev.kiln.evidence.RunWriter;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.Topology.CpuLists;
import dev.kiln.host.process.AttachedProcess;
import dev.kiln.host.process.TargetProcess;
import dev.kiln.host.process.Trees;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.jvm.Serving;
import dev.kiln.launch.Attachment;
import dev.kiln.launch.Lab;
import dev.kiln.launch.LaunchedTarget;
import dev.kiln.launch.TargetLaunch;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.JdkChoice;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.experiment.Where;
import dev.kiln.recorder.Recorder;
import dev.kiln.recorder.RecorderSpec;
import dev.kiln.recorder.RecorderSpec.ThreadDumping;
import dev.kiln.recorder.Recording;
import dev.kiln.recorder.Recording.DumpTimes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** An AgentRun is the target of an agent, launched or found, and recorded like a local one. Evidence is sent as it is written. */
final class AgentRun implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final Lab lab;
    private final Consumer<Tell> tell;
    private final Path directory;
    private Optional<RunningTarget> running = Optional.empty();

    /**
     * A RunningTarget is a target with what records it.
     *
     * @param stop ends the target after at most so long; one that ran before goes on
     */
    private record RunningTarget(Consumer<Duration> stop, RunWriter writer, Recorder recorder, AgentPump pump) {}

    AgentRun(Lab lab, Consumer<Tell> tell) throws IOException {
        this.lab = lab;
        this.tell = tell;
        directory = lab.registry().temporaryDirectory("agent");
    }

    synchronized Tell.Launched launch(Ask.LaunchTarget ask) {
        Target target = target(ask);
        TargetLaunch launch = new TargetLaunch(lab, target);
        RunWriter writer = new RunWriter(directory.resolve("run"));
        lab.stepAside();
        Map<String, String> values = new HashMap<>(ask.values());
        values.put(Placeholders.RUN_DIR, directory.toString());
        LaunchedTarget launched = launch.start(new Placeholders(values), List.of(), log());
        launched.serving(ask.ports());
        watch(
                launched.process(),
                launched::stop,
                spec(launched.process().pid(), launched.process().launchNanos(), ask.jitQueries(), ask.threadDumps())
                        .serving(ask.ports()),
                writer);
        return new Tell.Launched(
                launched.process().launchNanos(),
                launched.process().command(),
                launched.command().environment(),
                launch.modifiers(),
                launch.cpus(),
                lab.host(),
                Optional.empty());
    }

    /** Records a process that others started. It is not pinned, and not ended. */
    synchronized Tell.Launched attach(Ask.AttachTarget ask) {
        Attachment found = ask.sinceNanos().isPresent()
                ? Attachment.toNew(ask.point(), ask.sinceNanos().getAsLong())
                : Attachment.to(ask.point());
        AttachedProcess process = found.process();
        boolean behind = Serving.now(ProcFs.ofThisMachine(), process.pid(), ask.ports()) instanceof Serving.Stranger;
        watch(
                process,
                process::stop,
                spec(process.pid(), process.launchNanos(), ask.jitQueries(), ask.threadDumps())
                        .serving(behind ? Set.of() : ask.ports()),
                new RunWriter(directory.resolve("run")));
        List<Integer> allowed = found.allowed();
        return new Tell.Launched(
                process.launchNanos(),
                process.command(),
                Map.of(),
                List.of(),
                new CpuAssignment(
                        allowed,
                        List.of(),
                        List.of(),
                        false,
                        List.of("Kiln left the target where it was: it may run on CPUs " + CpuLists.format(allowed)
                                + " there")),
                found.host(lab.host()),
                Optional.of(found.before()));
    }

    private RecorderSpec spec(long pid, long launchNanos, boolean jitQueries, boolean threadDumps) {
        Map<String, Long> agent =
                Map.of(RecorderSpec.AGENT, ProcessHandle.current().pid());
        return new RecorderSpec(pid, launchNanos, agent, jitQueries)
                .with(new ThreadDumping(threadDumps, Optional.of(lab.registry())));
    }

    private void watch(TargetProcess process, Consumer<Duration> stop, RecorderSpec spec, RunWriter writer) {
        Recorder recorder = Recorder.start(spec, writer);
        AgentPump pump = new AgentPump(writer.directory(), log(), recorder, process, tell);
        running = Optional.of(new RunningTarget(stop, writer, recorder, pump));
        pump.start();
    }

    private Path log() {
        return directory.resolve("target.log");
    }

    private static Target target(Ask.LaunchTarget ask) {
        return new Target(
                new Target.Program(
                        ask.program().command(),
                        ask.program().arguments(),
                        ask.program().environment(),
                        ask.program().directory().map(Path::of)),
                new Target.Jvm(ask.jvm().jdk().map(AgentRun::home), ask.jvm().flags(), List.of(), Optional.empty()),
                new ReadySign.FirstResponse(GRACE),
                ask.modifiers(),
                new Where.Here(),
                List.of());
    }

    private static JdkChoice home(String version) {
        return new JdkFinder()
                .find(new JdkChoice.Version(version, false))
                .map(jdk -> new JdkChoice.Home(jdk.home()))
                .orElseThrow(() -> KilnException.machine(
                        "no JDK " + version + " was found", "install one there, or set JAVA_HOME there"));
    }

    synchronized Tell.DumpsPlanned dumpThreads(DumpTimes times) {
        launched().recorder().dumpThreads(times);
        return new Tell.DumpsPlanned();
    }

    synchronized Tell.RecordingEnded stopRecording() {
        RunningTarget now = launched();
        Recording.RecordingResult result = now.recorder().stop();
        if (result.failure().isEmpty()) {
            now.writer().flush();
        }
        now.pump().rows();
        return new Tell.RecordingEnded(
                result.notRecorded(),
                result.notes(),
                result.jvm(),
                result.cpuNanos(),
                result.failure().map(e -> String.valueOf(e.getMessage())));
    }

    synchronized Tell.TargetStopped stopTarget(long graceMillis) {
        RunningTarget now = launched();
        now.stop().accept(Duration.ofMillis(graceMillis));
        now.pump().log();
        return new Tell.TargetStopped();
    }

    private RunningTarget launched() {
        return running.orElseThrow(() -> new IllegalStateException("nothing was launched"));
    }

    @Override
    public synchronized void close() {
        try (lab) {
            running.ifPresent(this::end);
            running = Optional.empty();
            Trees.delete(directory);
            lab.registry().removed(directory);
        } catch (IOException e) {
            // The next agent removes it.
            return;
        }
    }

    private void end(RunningTarget now) {
        now.pump().close();
        now.recorder().close();
        now.stop().accept(GRACE);
        try {
            now.writer().close();
        } catch (KilnException e) {
            // A full disk. The recording has reported it, and the files here are deleted anyway.
            return;
        }
    }
}
