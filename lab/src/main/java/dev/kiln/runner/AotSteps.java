package dev.kiln.runner;

import dev.kiln.host.process.LogTail;
import dev.kiln.host.process.PinnedProcess;
import dev.kiln.jvm.AotFlags;
import dev.kiln.model.KilnException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * AotSteps make an AOT cache: they record a training run, and let a second JVM create the cache from the recording.
 * Each step has a log of its own.
 *
 * @param folder for the recording, the cache and the logs
 * @param failing makes the failure of a step
 */
record AotSteps(Path folder, Failing failing, Cancellation cancellation) {
    /** A recorded JVM ends within this time: it writes the recording then, for many seconds on a starved CPU. */
    private static final Duration RECORD_END = Duration.ofMinutes(2);

    private static final Duration CREATE_LIMIT = Duration.ofMinutes(10);
    private static final long POLL_NANOS = 50_000_000;
    private static final int TOLD_LINES = 15;

    /** A Starting starts the JVM of a step. */
    interface Starting {
        Started start(List<String> flags, Path log);
    }

    /** A Started is the JVM of a step, and what ends it after at most so long. */
    record Started(PinnedProcess process, Consumer<Duration> stop) {}

    /** A Failing makes the failure of a step, for which there is a reason in words. */
    interface Failing {
        KilnException of(String message, String lastLines);
    }

    Path cache() {
        return folder.resolve("app.aot").toAbsolutePath();
    }

    Path recordLog() {
        return folder.resolve("record.log");
    }

    private Path createLog() {
        return folder.resolve("create.log");
    }

    private Path configuration() {
        return folder.resolve("app.aotconf").toAbsolutePath();
    }

    /** Deletes the files of an earlier training, which would pass for those of this one. */
    void forget() {
        List.of(configuration(), cache(), recordLog(), createLog())
                .forEach(file -> file.toFile().delete());
    }

    /** Records a JVM while it is exercised. */
    void record(Starting training, Consumer<PinnedProcess> exercise) {
        run(training.start(AotFlags.record(configuration()), recordLog()), exercise, RECORD_END);
        // A JVM that gives up on the way leaves an empty one.
        if (configuration().toFile().length() == 0) {
            throw failed("the training run left no recording", recordLog());
        }
    }

    /** Creates the cache from the recording. */
    void create(Starting creating) {
        Started started = creating.start(AotFlags.create(configuration(), cache()), createLog());
        run(started, process -> await(process, Optional.of(CREATE_LIMIT)), Duration.ZERO);
        if (started.process().exitCode().orElse(-1) != 0 || cache().toFile().length() == 0) {
            throw failed("the JVM created none from the recording", createLog());
        }
    }

    /** Deletes the recording, which is as large as the cache, and of no more use. */
    void forgetRecording() {
        configuration().toFile().delete();
    }

    /** Runs a JVM that ends by itself and makes nothing, but tells something in its log. */
    void untilEnd(Started started) {
        run(started, process -> await(process, Optional.of(CREATE_LIMIT)), Duration.ZERO);
    }

    /** Waits until a process ends, and no longer than this. */
    void await(PinnedProcess process, Optional<Duration> longest) {
        long begin = System.nanoTime();
        while (process.isAlive()
                && longest.filter(limit -> System.nanoTime() - begin > limit.toNanos())
                        .isEmpty()) {
            cancellation.sleep(POLL_NANOS);
        }
    }

    private static void run(Started started, Consumer<PinnedProcess> meanwhile, Duration grace) {
        Duration patience = Duration.ZERO;
        try {
            meanwhile.accept(started.process());
            patience = grace;
        } finally {
            started.stop().accept(patience);
        }
    }

    KilnException failed(String why, Path log) {
        return failing.of(
                "could not be made: " + why + " (full output: " + log + ")", LogTail.lastLines(log, TOLD_LINES));
    }
}
