package dev.kiln.runner;

import dev.kiln.evidence.RunWriter;
import dev.kiln.host.proc.Cgroups;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.Ports;
import dev.kiln.host.process.TargetProcess;
import dev.kiln.jvm.Serving;
import dev.kiln.launch.CpuBoost;
import dev.kiln.launch.Lab;
import dev.kiln.launch.LaunchedTarget;
import dev.kiln.launch.TargetLaunch;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target;
import dev.kiln.postgres.Postgres;
import dev.kiln.recorder.Recorder;
import dev.kiln.recorder.RecorderSpec;
import dev.kiln.recorder.RecorderSpec.ThreadDumping;
import dev.kiln.recorder.Recording;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A PlaceHere is this machine. */
record PlaceHere(Lab lab, int port) implements Place {
    @Override
    public String address() {
        return RunContext.HERE;
    }

    @Override
    public void start(Postgres database) {
        database.startFresh();
    }

    @Override
    public void requireFree(URI url) {
        Ports.requireFree(url);
    }

    @Override
    public Place.PlacedTarget launch(
            Target target, Placeholders values, List<String> flags, Questions asked, RunWriter writer, Path log) {
        TargetLaunch launch = new TargetLaunch(lab, target);
        return new Local(launch, launch.start(values, flags, log), asked, writer);
    }

    @Override
    public void close() {
        // Nothing is held but by the target's run.
    }

    private record Local(TargetLaunch launch, LaunchedTarget target, Questions asked, RunWriter writer)
            implements Place.PlacedTarget {
        @Override
        public TargetProcess process() {
            return target.process();
        }

        @Override
        public OptionalLong pid(Set<Integer> ports) {
            long launched = target.process().pid();
            return OptionalLong.of(Serving.now(ProcFs.ofThisMachine(), launched, ports)
                    .process()
                    .orElse(launched));
        }

        /** Returns the limit of a container in which Kiln runs, and the target with it; empty without one. */
        @Override
        public OptionalLong memoryBytes() {
            long machine = launch.lab().host().memoryBytes();
            OptionalLong most =
                    Cgroups.memoryOf(ProcFs.ofThisMachine(), target.process().pid(), machine);
            return most.isPresent() && most.getAsLong() < machine ? most : OptionalLong.empty();
        }

        @Override
        public Place.LaunchFacts facts() {
            return new Place.LaunchFacts(
                    target.command().environment(),
                    launch.modifiers(),
                    launch.cpus(),
                    launch.lab().host(),
                    Optional.empty(),
                    target.notes(),
                    List.of());
        }

        @Override
        public Optional<CpuBoost> boost() {
            return target.boost();
        }

        @Override
        public Recording record(Map<String, Long> parts, Set<Integer> ports) {
            target.serving(ports);
            return Recorder.start(
                    new RecorderSpec(target.process().pid(), target.process().launchNanos(), parts, asked.jit())
                            .serving(ports)
                            .with(new ThreadDumping(
                                    asked.threads(), Optional.of(launch.lab().registry()))),
                    writer);
        }

        @Override
        public void stop(Duration grace) {
            target.stop(grace);
        }
    }
}
