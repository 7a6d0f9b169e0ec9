package dev.kiln.runner;

import dev.kiln.evidence.RunWriter;
import dev.kiln.host.process.TargetProcess;
import dev.kiln.launch.Lab;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.Readiness;
import dev.kiln.model.run.RunInfo.HostInfo;
import dev.kiln.model.run.RunInfo.JvmInfo;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.RunInfo.RemoteHost;
import dev.kiln.recorder.PartsRecorder;
import dev.kiln.recorder.Recording;
import dev.kiln.recorder.Recording.CompilerLoad;
import dev.kiln.remote.Ask;
import dev.kiln.remote.RemoteKiln;
import dev.kiln.remote.RemoteTarget;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Another machine, with an agent of Kiln's beside the target. The load comes from here. */
final class PlaceElsewhere implements Place {
    private final RemoteKiln agent;

    PlaceElsewhere(Lab lab, String host, CpuRequest cpus) {
        agent = RemoteKiln.start(
                host,
                lab.launcher().prefix(lab.pinTo(lab.cpus().load())),
                new CpuRequest(cpus.target(), List.of(), List.of()));
    }

    @Override
    public int port() {
        return agent.begun().port();
    }

    @Override
    public String address() {
        return agent.address();
    }

    @Override
    public void requireFree(URI url) {
        // The agent chose the port; of a fixed one only that machine could tell.
    }

    @Override
    public Place.Run launch(
            Target target, Placeholders values, List<String> flags, boolean jitQueries, RunWriter writer, Path log) {
        List<String> all = new ArrayList<>(target.jvmFlags());
        all.addAll(flags);
        Ask.Launch ask = new Ask.Launch(
                target.command(),
                target.environment(),
                target.workingDirectory().map(Path::toString),
                all,
                target.arguments(),
                target.modifiers(),
                values.values(),
                jitQueries);
        return new Remote(agent.begun().host(), agent.launch(ask, writer, log), notes(target.readiness()), writer);
    }

    private List<String> notes(Readiness readiness) {
        List<String> notes = new ArrayList<>(agent.begun().swept());
        if (readiness instanceof Readiness.LogPattern) {
            notes.add(
                    "Kiln reads the target's output, and so the line that says it is ready, up to a quarter of a second late");
        }
        return notes;
    }

    @Override
    public void close() {
        agent.close();
    }

    private record Remote(HostInfo host, RemoteTarget target, List<String> notes, RunWriter writer)
            implements Place.Run {
        @Override
        public TargetProcess process() {
            return target;
        }

        @Override
        public OptionalLong pid() {
            return OptionalLong.empty();
        }

        @Override
        public Place.Facts facts() {
            RemoteHost remote = target.remote();
            CpuAssignment there = target.told().cpus();
            return new Place.Facts(
                    target.told().environment(),
                    target.told().modifiers(),
                    // What the other parts are pinned to here says nothing of the CPUs there.
                    new CpuAssignment(there.target(), List.of(), List.of(), there.pinned(), List.of()),
                    host,
                    Optional.of(remote),
                    notes,
                    List.of(new NotRecorded(
                            "how busy the CPUs of the load are",
                            "the target runs on " + remote.name() + ", so the CPUs of that machine are recorded")));
        }

        @Override
        public Recording record(Map<String, Long> parts) {
            target.record();
            return new Both(target, PartsRecorder.start(parts, target.launchNanos(), writer));
        }

        @Override
        public void stop(Duration grace) {
            target.stop(grace);
        }
    }

    /** The agent's recording of the target, and that of the lab's parts here. */
    private record Both(RemoteTarget there, PartsRecorder here) implements Recording {
        @Override
        public Optional<JvmInfo> jvm() {
            return there.jvm();
        }

        @Override
        public Optional<CompilerLoad> c2LastSecond() {
            return there.c2LastSecond();
        }

        @Override
        public Recording.Result stop() {
            here.close();
            return there.stop();
        }

        @Override
        public void close() {
            stop();
        }
    }
}
