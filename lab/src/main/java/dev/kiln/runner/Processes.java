package dev.kiln.runner;

import dev.kiln.host.process.ExitCode;
import dev.kiln.host.process.TargetProcess;
import dev.kiln.remote.RemoteTarget;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Processes are those of a service that several serve, as one: it lives as long as all do. What can be asked of one alone is asked
 * of the first.
 */
record Processes(List<RemoteTarget> all) implements TargetProcess {
    /** Returns the one that has ended; the first where none has. */
    RemoteTarget ended() {
        return all.stream().filter(target -> !target.isAlive()).findFirst().orElse(all.getFirst());
    }

    @Override
    public List<String> command() {
        return all.getFirst().command();
    }

    @Override
    public long launchNanos() {
        return all.getFirst().launchNanos();
    }

    @Override
    public long launchEpochMillis() {
        return all.getFirst().launchEpochMillis();
    }

    @Override
    public boolean isAlive() {
        return all.stream().allMatch(RemoteTarget::isAlive);
    }

    @Override
    public Optional<ExitCode> exit() {
        return ended().exit();
    }

    @Override
    public void whenEnded(Runnable action) {
        AtomicBoolean told = new AtomicBoolean();
        all.forEach(target -> target.whenEnded(() -> {
            if (told.compareAndSet(false, true)) {
                action.run();
            }
        }));
    }

    @Override
    public void stop(Duration grace) {
        all.forEach(target -> target.stop(grace));
    }
}
