package dev.kiln.runner;

import dev.kiln.evidence.RunWriter;
import dev.kiln.host.process.TargetProcess;
import dev.kiln.launch.CpuBoost;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.run.Attached;
import dev.kiln.model.run.Attached.Restarted;
import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.model.run.Machine.RemoteHost;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.recorder.PartsRecorder;
import dev.kiln.recorder.Recording;
import dev.kiln.recorder.Recording.CompilerLoad;
import dev.kiln.recorder.Recording.DumpTimes;
import dev.kiln.remote.RemoteTarget;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A PlacedElsewhere is a target beside an agent of Kiln's, launched, found or brought by a command.
 *
 * @param notes on how it came there
 * @param databaseAt address by which it reaches the database of this machine; empty without one
 * @param restart the command that brought it; empty for any other
 * @param podBoost what gives its pod more CPU while it is new; empty where that was not asked for
 */
record PlacedElsewhere(
        RemoteTarget target,
        List<String> notes,
        Optional<String> databaseAt,
        RunWriter writer,
        Optional<Restart> restart,
        Optional<PodBoost> podBoost)
        implements Place.PlacedTarget {
    PlacedElsewhere(
            RemoteTarget target,
            List<String> notes,
            Optional<String> databaseAt,
            RunWriter writer,
            Optional<Restart> restart) {
        this(target, notes, databaseAt, writer, restart, Optional.empty());
    }

    @Override
    public Optional<CpuBoost> boost() {
        return podBoost.flatMap(PodBoost::lasting);
    }

    @Override
    public TargetProcess process() {
        return target;
    }

    @Override
    public Optional<Attached> attached() {
        return restart.isPresent() ? Optional.empty() : target.told().attached();
    }

    @Override
    public Optional<Restarted> restarted() {
        return restart.flatMap(
                by -> target.told().attached().map(found -> by.brought(found.to(), found.pid(), target.launchNanos())));
    }

    @Override
    public OptionalLong pid(Set<Integer> ports) {
        return OptionalLong.empty();
    }

    @Override
    public Place.LaunchFacts facts() {
        RemoteHost remote = target.remote();
        CpuAssignment there = target.told().cpus();
        List<String> beside = target.told().attached().isPresent() ? there.notes() : List.of();
        return new Place.LaunchFacts(
                restart.map(Restart::environment).orElse(target.told().environment()),
                Stream.concat(
                                target.told().modifiers().stream(),
                                podBoost.stream().map(more -> more.asked().text()))
                        .toList(),
                // What the other parts are pinned to here says nothing of the CPUs there.
                new CpuAssignment(there.target(), List.of(), List.of(), there.pinned(), beside),
                target.told().host(),
                Optional.of(remote),
                Stream.concat(
                                notes.stream(),
                                podBoost.stream().flatMap(more -> more.notes(target.launchNanos()).stream()))
                        .toList(),
                List.of(new NotRecorded(
                        "how busy the CPUs of " + (databaseAt.isPresent() ? "load and database" : "the load") + " are",
                        "the target runs on " + remote.name() + ", so the CPUs of that machine are recorded")));
    }

    @Override
    public Recording record(Map<String, Long> parts, Set<Integer> ports) {
        target.record();
        return new Both(target, PartsRecorder.start(parts, target.launchNanos(), writer));
    }

    @Override
    public void stop(Duration grace) {
        target.stop(grace);
        podBoost.ifPresent(PodBoost::restore);
        restart.ifPresent(Restart::end);
    }

    /** A Both is the agent's recording of the target, with that of the lab's parts here. */
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
        public void dumpThreads(DumpTimes times) {
            there.dumpThreads(times);
        }

        @Override
        public Recording.RecordingResult stop() {
            here.close();
            return there.stop();
        }

        @Override
        public void close() {
            stop();
        }
    }
}
