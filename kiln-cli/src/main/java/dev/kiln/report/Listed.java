package dev.kiln.report;

import dev.kiln.model.run.Summary.VariantSummary;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A Listed is an experiment in a list of many.
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
        List<VariantSummary> variants,
        String conclusion,
        Optional<String> problem) {
    public Listed {
        variants = List.copyOf(variants);
    }

    /** The Kind says which sort of measurement it is. */
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

    /** The State says how far the experiment is, and whether it can be read. */
    public enum State {
        FINISHED("finished"),
        /** The runs are over, and were not judged. */
        UNJUDGED("not judged"),
        RUNNING("running"),
        /** The last run has no end, and nothing more is written. */
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

    /** Returns the different verdicts of its variants, in their order. */
    public List<String> verdicts() {
        return variants.stream()
                .map(VariantSummary::verdict)
                .filter(verdict -> !verdict.isEmpty())
                .distinct()
                .toList();
    }
}
