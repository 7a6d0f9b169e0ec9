package dev.kiln.engines;

import dev.kiln.engines.HyperfoilController.Unanswered;
import dev.kiln.importer.HyperfoilLive;
import dev.kiln.importer.ToolOutput;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.Phase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.core.JacksonException;

/**
 * What a run of Hyperfoil recorded.
 *
 * @param zeroEpochNanos the launch by the controller's clock
 * @param connections that it kept busy; 0 where that is not known
 */
record HyperfoilFigures(
        HyperfoilController controller, String run, Phase.Load phase, long zeroEpochNanos, int connections) {
    private static final long AGAIN_NANOS = 250_000_000;

    /** What was told while it went on. */
    Optional<ToolOutput.Phase> told(HyperfoilLive live) {
        return ToolOutput.hyperfoil(live, phase.name(), zeroEpochNanos, connections);
    }

    /**
     * All of a run that has ended. Of the seconds in which no request began Hyperfoil tells nothing, and nothing begins while
     * the service hangs: those at the phase's end are put in.
     *
     * @param file to fetch it into
     * @throws KilnException where it cannot be had, or not be read
     */
    Optional<ToolOutput.Phase> all(Path file, Duration patience) {
        return fetched(file, patience).map(read -> {
            // The last answers come after the phase's time.
            long due = read.bins().getFirst().startNanos() + phase.duration().toNanos();
            return read.filledUntil(Math.min(read.endNanos(), due));
        });
    }

    private Optional<ToolOutput.Phase> fetched(Path file, Duration patience) {
        long until = System.nanoTime() + patience.toNanos();
        while (true) {
            Exception why;
            try {
                controller.all(run, file);
                return ToolOutput.hyperfoil(file, phase.name(), zeroEpochNanos, connections);
            } catch (Unanswered e) {
                why = e;
            } catch (KilnException e) {
                // Older versions do not tell when their file is whole. What is no mere part of one stays as it is.
                if (!(e.getCause() instanceof JacksonException)) {
                    throw lost("handed out figures that cannot be read, of run ", e);
                }
                why = e;
            }
            if (System.nanoTime() > until) {
                throw lost("does not hand out the figures of run ", why);
            }
            LockSupport.parkNanos(AGAIN_NANOS);
        }
    }

    private KilnException lost(String what, Exception why) {
        return new KilnException(
                Exit.MACHINE,
                "load: the controller " + controller + " " + what + run + " (phase " + phase.name() + "): "
                        + why.getMessage(),
                "see its log and the folder of the run there; what it told before is kept",
                why);
    }
}
