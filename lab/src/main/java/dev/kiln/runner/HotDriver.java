package dev.kiln.runner;

import dev.kiln.engines.Engine;
import dev.kiln.engines.Engines;
import dev.kiln.host.process.Trees;
import dev.kiln.launch.Lab;
import dev.kiln.load.LoadDriver;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.recorder.Recorder;
import dev.kiln.remote.FarLoad;
import dev.kiln.runner.RunControl.RunListener;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A HotDriver keeps the load driver of an experiment, or of several with the same load: warm before the first target starts, kept
 * for all runs, replaced if it dies.
 */
public final class HotDriver implements AutoCloseable {
    private final Lab lab;
    private final LoadTemplate load;
    private final RunListener listener;
    private final Cancellation cancellation;
    private Optional<Path> scratch = Optional.empty();
    private @Nullable LoadDriver driver;
    private boolean rehearsed;
    private long warmedNanos;

    public HotDriver(Lab lab, LoadTemplate load, RunListener listener, Cancellation cancellation) {
        this.lab = lab;
        this.load = load;
        this.listener = listener;
        this.cancellation = cancellation;
    }

    /** Returns how long the start and the warm-up of drivers took so far. */
    public Duration warmed() {
        return Duration.ofNanos(warmedNanos);
    }

    /** Records Kiln itself, once, so that the recorder is compiled before the first run. */
    void rehearse() {
        if (!rehearsed) {
            Recorder.rehearse(scratch().resolve("rehearsal"));
            rehearsed = true;
        }
    }

    /** Returns the driver that is there, or a new one in place of one that died, warmed up before a target starts. */
    LoadDriver get() {
        LoadDriver existing = driver;
        if (existing != null && existing.isAlive()) {
            return existing;
        }
        long begin = System.nanoTime();
        LoadDriver started =
                newDriver(lab.launcher().prefix(lab.pinTo(lab.cpus().load())), scratch());
        driver = started;
        cancellation.onCancel(started::close);
        LoadDriver.WarmUp warmUp = warmUp(started);
        warmedNanos += System.nanoTime() - begin;
        if (!warmUp.quiet()) {
            listener.note(String.format(
                    Locale.ROOT,
                    "the load driver's compilers were still busy after %d s (%.1f %% of its CPU time)",
                    warmUp.duration().toSeconds(),
                    100 * warmUp.jitShare()));
        }
        return started;
    }

    private LoadDriver newDriver(List<String> prefix, Path temporary) {
        if (load.from().isPresent()) {
            FarLoad place = FarLoad.at(load.from().get(), prefix);
            listener.stage("sending Kiln's load driver to " + place.name());
            place.ship();
            listener.stage("warming up the load driver there");
            return Engines.elsewhere(load, place);
        }
        Engine engine = Engines.of(load);
        engine.preparation().ifPresent(listener::stage);
        return engine.driver(prefix, temporary);
    }

    /** Returns a folder for temporary files. The registry knows it, so the next start of Kiln deletes it if need be. */
    Path scratch() {
        return scratch.orElseGet(this::makeScratch);
    }

    private Path makeScratch() {
        try {
            Path made = lab.registry().temporaryDirectory("driver");
            scratch = Optional.of(made);
            return made;
        } catch (IOException e) {
            throw KilnException.machine(
                    e,
                    "cannot make a folder in " + System.getProperty("java.io.tmpdir"),
                    "make room there, or name another folder: JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=DIR");
        }
    }

    private LoadDriver.WarmUp warmUp(LoadDriver started) {
        try {
            return started.warmUp();
        } catch (KilnException e) {
            // A driver that an interruption has ended is no failure.
            cancellation.check();
            throw e;
        }
    }

    @Override
    public void close() {
        try {
            if (driver != null) {
                driver.close();
            }
        } finally {
            scratch.ifPresent(this::deleteScratch);
        }
    }

    private void deleteScratch(Path made) {
        try {
            Trees.delete(made);
            lab.registry().removed(made);
        } catch (IOException e) {
            listener.note("could not delete " + made + ": " + IoReason.of(e));
        }
    }
}
