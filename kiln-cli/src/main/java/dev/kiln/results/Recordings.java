package dev.kiln.results;

import dev.kiln.evidence.ExperimentReader;
import dev.kiln.model.KilnException;
import dev.kiln.runner.Instruments;
import java.nio.file.Path;
import java.util.List;

/** Flight recordings of runs whose Kiln was killed before it could digest them. */
public final class Recordings {
    private Recordings() {}

    /** Digests what was left: the one thing that a command adds to evidence before it reads it. */
    public static void complete(Path experiment) {
        try {
            complete(ExperimentReader.find(experiment).directories());
        } catch (KilnException e) {
            // Whoever reads the experiment says what is wrong with it.
            return;
        }
    }

    public static void complete(List<Path> runs) {
        for (Path run : runs) {
            try {
                Instruments.digestLate(run);
            } catch (KilnException ignored) {
                // The same holds of a run.
            }
        }
    }
}
