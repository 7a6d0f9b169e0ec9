package dev.kiln.remote;

import dev.kiln.evidence.RunWriter;
import dev.kiln.host.process.Trees;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.launch.Lab;
import dev.kiln.launch.LaunchedTarget;
import dev.kiln.launch.TargetLaunch;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.JdkChoice;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.experiment.Where;
import dev.kiln.recorder.DumpTimes;
import dev.kiln.recorder.Recorder;
import dev.kiln.recorder.RecorderSpec;
import dev.kiln.recorder.RecorderSpec.ThreadDumping;
import dev.kiln.recorder.Recording;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** An AgentRun is the target of an agent, launched and recorded like a local one. Evidence is sent as it is written. */
final class AgentRun implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final Lab lab;
    private final Consumer<Tell> tell;
    private final Path directory;
    private Optional<RunningTarget> running = Optional.empty();

    private record RunningTarget(LaunchedTarget target, RunWriter writer, Recorder recorder, AgentPump pump) {}

    AgentRun(Lab lab, Consumer<Tell> tell) throws IOException {
        this.lab = lab;
        this.tell = tell;
        directory = lab.registry().temporaryDirectory("agent");
    }

    synchronized Tell.Launched launch(Ask.LaunchTarget ask) {
        Target target = target(ask);
        TargetLaunch launch = new TargetLaunch(lab, target);
        Path log = directory.resolve("target.log");
        RunWriter writer = new RunWriter(directory.resolve("run"));
        lab.stepAside();
        Map<String, String> values = new HashMap<>(ask.values());
        values.put(Placeholders.RUN_DIR, directory.toString());
        LaunchedTarget launched = launch.start(new Placeholders(values), List.of(), log);
        launched.serving(ask.ports());
        long pid = launched.process().pid();
        Recorder recorder = Recorder.start(
                new RecorderSpec(
                                pid,
                                launched.process().launchNanos(),
                                Map.of(
                                        RecorderSpec.AGENT,
                                        ProcessHandle.current().pid()),
                                ask.jitQueries())
                        .serving(ask.ports())
                        .with(new ThreadDumping(ask.threadDumps(), Optional.of(lab.registry()))),
                writer);
        AgentPump pump = new AgentPump(writer.directory(), log, recorder, launched.process(), tell);
        running = Optional.of(new RunningTarget(launched, writer, recorder, pump));
        pump.start();
        return new Tell.Launched(
                launched.process().launchNanos(),
                launched.process().command(),
                launched.command().environment(),
                launch.modifiers(),
                launch.cpus());
    }

    private static Target target(Ask.LaunchTarget ask) {
        return new Target(
                new Target.Program(
                        ask.program().command(),
                        ask.program().arguments(),
                        ask.program().environment(),
                        ask.program().directory().map(Path::of)),
                new Target.Jvm(ask.jvm().jdk().map(AgentRun::home), ask.jvm().flags(), Optional.empty()),
                new ReadySign.FirstResponse(GRACE),
                ask.modifiers(),
                new Where.Here());
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
        now.target().stop(Duration.ofMillis(graceMillis));
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
        now.target().stop(GRACE);
        try {
            now.writer().close();
        } catch (KilnException e) {
            // A full disk. The recording has reported it, and the files here are deleted anyway.
            return;
        }
    }
}
