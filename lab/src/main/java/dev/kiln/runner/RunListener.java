package dev.kiln.runner;

import dev.kiln.load.LoadSession.Tick;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.recorder.Recording.CompilerLoad;
import java.util.Optional;

/** A RunListener is called as an experiment goes on, by the thread that runs it. */
public interface RunListener {
    /** Says that something that needs a while has begun, outside any run. */
    void stage(String text);

    /** Says that a run begins, number {@code position}, from 1, of {@code total}. */
    void runStarted(String variant, int position, int total);

    /** Says that the run does something other than load: starts the target, waits, pauses. */
    void doing(String what);

    /** Says that a second of a load has passed, and what C2 did; empty for a program that has none. */
    void tick(Phase.Load phase, Tick tick, Optional<CompilerLoad> c2);

    /** Says that no load follows in this run. */
    default void loadEnded() {}

    /** Reports something that the user has to know at once and that stays on the screen. */
    void note(String text);
}
