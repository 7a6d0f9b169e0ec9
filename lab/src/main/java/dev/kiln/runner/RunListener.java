package dev.kiln.runner;

import dev.kiln.load.LoadSession.Tick;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.recorder.Recording.CompilerLoad;
import java.util.Optional;

/** Told of the progress of an experiment; called by the thread that runs it. */
public interface RunListener {
    /** Something that takes a while has begun, outside any run. */
    void stage(String text);

    /**
     * A run begins.
     *
     * @param position number of the run, from 1, of {@code total}
     */
    void runStarted(String variant, int position, int total);

    /** The run does something other than load: starts the target, waits, pauses. */
    void doing(String what);

    /**
     * A second of a load phase has passed.
     *
     * @param c2 what the C2 compiler did meanwhile; empty for a program that has none
     */
    void tick(Phase.Load phase, Tick tick, Optional<CompilerLoad> c2);

    /** What has to be told at once and stays on the screen. */
    void note(String text);
}
