package dev.kiln.runner;

import dev.kiln.evidence.RunWriter;
import dev.kiln.model.CpuRequest;
import dev.kiln.model.Placeholders;
import dev.kiln.model.Target;
import dev.kiln.model.Where;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** Where the target of one run is launched: on this machine, or on another. */
interface Place extends AutoCloseable {
    /** A port that is free there. */
    int port();

    /** How the load reaches it. */
    String address();

    /** Fails if somebody already answers where the target will: its figures would be taken for the target's. */
    void requireFree(URI url);

    /**
     * Launches the target.
     *
     * @param flags for the JVM, behind the target's own
     * @param jitQueries whether its JVM is asked for its compile queues and the like
     * @param writer takes what is recorded of it
     * @param log takes its output
     */
    TargetRun launch(
            Target target, Placeholders values, List<String> flags, boolean jitQueries, RunWriter writer, Path log);

    @Override
    void close();

    /** @param cpus that the parts of the experiment are to have */
    static Place of(Lab lab, Target target, CpuRequest cpus) {
        return switch (target.where()) {
            case Where.Here here -> new PlaceHere(lab);
            case Where.Container container -> new PlaceHere(lab);
            case Where.Host host -> new PlaceElsewhere(lab, host.name(), cpus);
        };
    }
}
