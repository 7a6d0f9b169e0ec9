package dev.kiln.runner;

import dev.kiln.host.process.ExitCode;
import dev.kiln.host.process.Launcher;
import dev.kiln.host.process.Launcher.LaunchSpec;
import dev.kiln.host.process.LogTail;
import dev.kiln.host.process.PinnedProcess;
import dev.kiln.host.process.Ports;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.jvm.LaunchCommand;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.OwnerOnly;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.JdkChoice;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.runner.Cancellation.Interrupted;
import dev.kiln.runner.TargetStart.ReadinessWait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A Backend is the service that a target calls: a process of its own with the target's JDK, on the CPUs of the
 * database. It is there before the target is launched and until the target has ended.
 */
record Backend(PinnedProcess process, int port, Path log) {
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(10);
    private static final int TOLD_LINES = 15;

    /**
     * Starts the backend of a target, and waits until its port is open. Empty for a target without one.
     *
     * @param cpus to pin it to; empty means not pinned
     * @param directory for its log
     * @throws KilnException with {@link Exit#MACHINE} if it does not start
     */
    static Optional<Backend> start(
            Launcher launcher, List<Integer> cpus, Target target, Path directory, Cancellation cancellation) {
        if (target.program().backend().isEmpty()) {
            return Optional.empty();
        }
        int port = Ports.free();
        Placeholders values = new Placeholders(Map.of(
                Placeholders.BACKEND_PORT,
                Integer.toString(port),
                Placeholders.RUN_DIR,
                directory.toAbsolutePath().toString()));
        makeFolder(directory);
        Path log = directory.resolve("backend.log");
        LaunchCommand command = command(target, values);
        PinnedProcess process = launcher.start(new LaunchSpec("backend", command.command(), log)
                .withEnvironment(command.environment())
                .in(target.workingDirectory())
                .on(cpus));
        Backend backend = new Backend(process, port, log);
        try {
            backend.awaitPort(cancellation);
        } catch (RuntimeException e) {
            backend.stop();
            throw e;
        }
        return Optional.of(backend);
    }

    /** Makes a folder that only its owner may read. */
    static void makeFolder(Path directory) {
        try {
            Files.createDirectories(directory, OwnerOnly.FOLDER);
        } catch (IOException e) {
            throw KilnException.machine(e, "cannot make " + directory, "check the disk's space");
        }
    }

    private static LaunchCommand command(Target target, Placeholders values) {
        // A service of Kiln's own, which the user's java may be too old for.
        JdkChoice jdk = target.jdk().orElseGet(() -> new JdkChoice.Home(JdkFinder.required()));
        return LaunchCommand.of(
                new Target(
                        new Target.Program(
                                target.program().backend().stream()
                                        .map(values::fill)
                                        .toList(),
                                List.of(),
                                Map.of(),
                                target.workingDirectory()),
                        new Target.Jvm(Optional.of(jdk), List.of(), List.of(), Optional.empty()),
                        target.readiness()),
                System.getenv());
    }

    private void awaitPort(Cancellation cancellation) {
        Placeholders here = new Placeholders(Map.of(Placeholders.HOST, RunContext.HERE));
        try {
            Optional<String> missing = ReadinessWait.await(
                    new ReadySign.TcpPort(OptionalInt.of(port), START_LIMIT),
                    here,
                    port,
                    log,
                    () -> process.isAlive() && !cancellation.isCancelled());
            cancellation.check();
            if (missing.isPresent()) {
                throw KilnException.machine(
                        "the backend "
                                + ended().orElse("did not open port " + port + " within " + START_LIMIT.toSeconds()
                                        + " s")
                                + " (full output: " + log + ")",
                        LogTail.lastLines(log, TOLD_LINES));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Interrupted();
        }
    }

    /** Fails if the backend has died. */
    void check() {
        ended().ifPresent(how -> {
            throw new RunFailure(Outcome.LAB_FAILED, "the backend " + how, log);
        });
    }

    private Optional<String> ended() {
        return process.exit().map(ExitCode::text);
    }

    void stop() {
        process.stop(STOP_LIMIT);
    }
}
