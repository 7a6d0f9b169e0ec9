package dev.kiln.runner;

import dev.kiln.host.process.ExitCode;
import dev.kiln.host.process.TargetProcess;
import dev.kiln.launch.Lab;
import dev.kiln.model.CpuAssignment;
import dev.kiln.recorder.Recording;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A NoTarget stands for the target of a run that has none, because a command of the user's failed before it. */
record NoTarget(Lab lab, long launchNanos, long launchEpochMillis) implements Place.PlacedTarget, TargetProcess {
    NoTarget(Lab lab) {
        this(lab, System.nanoTime(), System.currentTimeMillis());
    }

    @Override
    public TargetProcess process() {
        return this;
    }

    @Override
    public OptionalLong pid(Set<Integer> ports) {
        return OptionalLong.empty();
    }

    @Override
    public Place.LaunchFacts facts() {
        CpuAssignment none = new CpuAssignment(List.of(), List.of(), List.of(), false, List.of());
        return new Place.LaunchFacts(Map.of(), List.of(), none, lab.host(), Optional.empty(), List.of(), List.of());
    }

    @Override
    public Recording record(Map<String, Long> parts, Set<Integer> ports) {
        throw new IllegalStateException("there is no target");
    }

    @Override
    public List<String> command() {
        return List.of();
    }

    @Override
    public boolean isAlive() {
        return false;
    }

    @Override
    public Optional<ExitCode> exit() {
        return Optional.empty();
    }

    @Override
    public void whenEnded(Runnable action) {
        action.run();
    }

    @Override
    public void stop(Duration grace) {
        // Nothing was started.
    }
}
