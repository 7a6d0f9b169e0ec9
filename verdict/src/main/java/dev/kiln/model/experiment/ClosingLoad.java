package dev.kiln.model.experiment;

import dev.kiln.model.experiment.Experiment.PlannedRun;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.experiment.Variant.Observe;
import java.time.Duration;

/** A ClosingLoad goes on after a variant's first run was measured, for a flight recording; it counts for none. */
public final class ClosingLoad {
    /**
     * The load goes on for so long. An execution sample is taken each 20 ms, of up to five threads: that is 1,250 at most, of which a
     * method with 5 % has the 20 that it takes to name it. A starved JVM takes fewer.
     */
    public static final Phase.Load PHASE = new Phase.Load("closing", Duration.ofSeconds(5));

    /** All of it takes about so long on one CPU: the recorder's start, the load, the writing and the reading of what it found. */
    public static final Duration TAKES = Duration.ofSeconds(9);

    private ClosingLoad() {}

    /**
     * Tells whether a run is to have one. It is the first of its variant and no level of a sweep; Kiln launches the target on this
     * machine and sends the load itself; no other recording is made; and the last load is one that can go on, because it does not
     * change and lasted as long. Requests that differ would begin anew, and the target may not take the same ones twice.
     */
    public static boolean follows(Experiment experiment, PlannedRun run) {
        Variant variant = run.variant();
        Observe observe = variant.observe();
        return run.run() == 1
                && observe.closing()
                && !observe.flightRecorder()
                && !observe.asyncProfiler()
                && variant.connections().isEmpty()
                && variant.target().where() instanceof Where.Here
                && experiment.load().engine().equals(LoadEngine.KILN)
                && !experiment.load().varies()
                && canGoOn(experiment.protocol());
    }

    private static boolean canGoOn(Protocol protocol) {
        return protocol.reference().isPresent()
                || protocol.loads().stream()
                        .reduce((first, last) -> last)
                        .filter(last ->
                                last.shape().isEmpty() && last.duration().compareTo(PHASE.duration()) >= 0)
                        .isPresent();
    }
}
