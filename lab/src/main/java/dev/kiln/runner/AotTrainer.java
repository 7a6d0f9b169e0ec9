package dev.kiln.runner;

import dev.kiln.host.process.LaunchSpec;
import dev.kiln.host.process.LogTail;
import dev.kiln.host.process.PinnedProcess;
import dev.kiln.jvm.AotFlags;
import dev.kiln.launch.Lab;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Experiment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes an AOT cache that no experiment is to use. */
public final class AotTrainer {
    private final Lab lab;
    private final Path folder;
    private final RunListener listener;
    private final Cancellation cancellation;

    /** @param folder for the cache and the logs */
    public AotTrainer(Lab lab, Path folder, RunListener listener, Cancellation cancellation) {
        this.lab = lab;
        this.folder = folder;
        this.listener = listener;
        this.cancellation = cancellation;
    }

    /**
     * As the cache of the only variant is made, which says how it is trained.
     *
     * @return the cache
     */
    public Path byLoad(Experiment experiment, Judge judge) {
        Preflight.check(lab, experiment, listener);
        lab.stepAside();
        try (HotDriver driver = new HotDriver(lab, experiment.load(), listener, cancellation)) {
            return AotMaking.all(
                            experiment.variants(),
                            () -> new RunContext(
                                    lab,
                                    experiment,
                                    driver.get(),
                                    Optional.empty(),
                                    Optional.empty(),
                                    listener,
                                    cancellation,
                                    judge),
                            folder)
                    .values()
                    .iterator()
                    .next()
                    .file();
        }
    }

    /**
     * By what the program does by itself, until it ends.
     *
     * @param command begins with the path of a {@code java}
     * @param longest after which it is told to end; empty to wait for as long as it takes
     * @return the cache
     */
    public Path byItself(List<String> command, Optional<Duration> longest) {
        Path configuration = folder.resolve("app.aotconf").toAbsolutePath();
        Path cache = folder.resolve("app.aot").toAbsolutePath();
        listener.stage("AOT cache, 1 of 2: recording a run of the command");
        forget(configuration, cache);
        Path record = folder.resolve("record.log");
        run(with(command, AotFlags.record(configuration)), record, longest, AotMaking.RECORD_END);
        if (configuration.toFile().length() == 0) {
            throw failed("the training run left no recording", record);
        }
        listener.stage("AOT cache, 2 of 2: creating it");
        Path create = folder.resolve("create.log");
        run(
                with(command, AotFlags.create(configuration, cache)),
                create,
                Optional.of(AotMaking.CREATE_LIMIT),
                Duration.ZERO);
        if (cache.toFile().length() == 0) {
            throw failed("the JVM created none from the recording", create);
        }
        configuration.toFile().delete();
        return cache;
    }

    /** What an earlier training left would pass for this one's. */
    private static void forget(Path... files) {
        for (Path file : files) {
            file.toFile().delete();
        }
    }

    private void run(List<String> command, Path log, Optional<Duration> longest, Duration grace) {
        PinnedProcess process = lab.launcher()
                // Not pinned: with half of the CPUs the JVM might choose another collector than in production.
                .start(new LaunchSpec("target", command, log));
        long begin = System.nanoTime();
        try {
            while (process.isAlive()
                    && longest.filter(limit -> System.nanoTime() - begin > limit.toNanos())
                            .isEmpty()) {
                cancellation.sleep(50_000_000);
            }
        } finally {
            process.stop(cancellation.isCancelled() ? Duration.ZERO : grace);
        }
    }

    private static List<String> with(List<String> command, List<String> flags) {
        List<String> words = new ArrayList<>(command);
        words.addAll(1, flags);
        return words;
    }

    private static KilnException failed(String why, Path log) {
        return new KilnException(
                Exit.PROBLEM,
                "the AOT cache could not be made: " + why + " (full output: " + log + ")",
                LogTail.lastLines(log, AotMaking.TOLD_LINES));
    }
}
