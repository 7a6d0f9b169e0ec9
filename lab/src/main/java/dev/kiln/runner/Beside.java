package dev.kiln.runner;

import dev.kiln.model.run.RunInfo;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A Beside is the run of the other variant that goes on at the same time. Both launch, and begin each phase, at the same
 * moment.
 *
 * @param duet which run that is, and the half of the CPUs that this one has
 * @param pace both arrive at it
 * @param lost whether one of the two has ended before its end
 */
record Beside(RunInfo.Duet duet, Phaser pace, AtomicBoolean lost) {
    /** Waits until the other run has come as far as this one, or has ended. */
    void await() {
        pace.arriveAndAwaitAdvance();
    }

    /** Tells whether the other run has ended early, so that this one has been alone since. */
    boolean alone() {
        return lost.get();
    }

    /** Returns the note of a run that is alone. */
    String words() {
        return "the run of " + duet.variant()
                + " beside it ended early: from then on this one had the machine to itself";
    }

    /** Says that this run has ended, so that the other one waits for it no more. */
    void ended(boolean completed) {
        if (!completed) {
            lost.set(true);
        }
        pace.arriveAndDeregister();
    }
}
