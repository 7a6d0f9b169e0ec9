package dev.kiln.report;

import dev.kiln.model.run.Summary.OfVariant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An experiment in a list of many.
 *
 * @param id its folder, below that of all results, with slashes
 * @param kind of command that measured
 * @param name of the experiment; of a folder that cannot be read, the folder's
 * @param startedMillis wall clock at the first launch; empty where no run could be read
 * @param host CPU model and number of CPUs, in words
 * @param conclusion empty where it was not judged yet
 * @param problem what is wrong with it
 */
public record Listed(
        String id,
        Kind kind,
        String name,
        OptionalLong startedMillis,
        State state,
        String host,
        List<OfVariant> variants,
        String conclusion,
        Optional<String> problem) {
    public Listed {
        variants = List.copyOf(variants);
    }

    /** What was measured. */
    public enum Kind {
        EXPERIMENT("experiment"),
        SOAK("soak"),
        STARTUP("start-up comparison");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /** How far it is. */
    public enum State {
        FINISHED("finished"),
        /** Its runs are over, and nobody judged them. */
        UNJUDGED("not judged"),
        RUNNING("running"),
        /** Its last run has no end, and nothing more comes. */
        BROKEN_OFF("broken off"),
        UNREADABLE("cannot be read");

        private final String text;

        State(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /** Different verdicts of its variants, in their order. */
    public List<String> verdicts() {
        return variants.stream()
                .map(OfVariant::verdict)
                .filter(verdict -> !verdict.isEmpty())
                .distinct()
                .toList();
    }
}
