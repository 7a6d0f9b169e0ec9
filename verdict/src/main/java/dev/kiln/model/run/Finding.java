package dev.kiln.model.run;

import dev.kiln.model.experiment.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A Finding is one possible cause, confirmed or not.
 *
 * @param id stable, for scripts: {@code c2-starved}
 * @param seenIn the curve that shows the moments of its evidence
 * @param weight orders what was confirmed, from 0 to 1: the share of time or CPU that its evidence shows, or a fixed
 *     rank where it shows none. It is no share of the slowness
 * @param explains what it can have caused in this run; empty unless it was confirmed
 * @param evidence the figures that say so, or what is missing
 * @param remedies what would cure it; empty unless it was confirmed
 */
public record Finding(
        String id,
        String title,
        Curve seenIn,
        FindingState state,
        double weight,
        Set<Effect> explains,
        List<Proof> evidence,
        List<FindingRemedy> remedies) {
    public Finding {
        explains = Set.copyOf(explains);
        evidence = List.copyOf(evidence);
        remedies = List.copyOf(remedies);
    }

    /** Returns the same finding with more evidence at its end. */
    public Finding with(List<Proof> more) {
        List<Proof> all = new ArrayList<>(evidence);
        all.addAll(more);
        return new Finding(id, title, seenIn, state, weight, explains, all, remedies);
    }

    /** Returns the same finding with what may be done about it. */
    public Finding withRemedies(List<FindingRemedy> some) {
        return new Finding(id, title, seenIn, state, weight, explains, evidence, some);
    }

    /** An Effect is what a cause can do to a throughput. */
    public enum Effect {
        /** The cause keeps throughput below its peak. */
        BELOW_PEAK("below-peak"),
        /** The cause makes throughput fall from a level that it had. */
        FALL("fall");

        private final String id;

        Effect(String id) {
            this.id = id;
        }

        /** Returns the name that files and scripts use. */
        public String id() {
            return id;
        }
    }

    /** A Curve is a series over the time of a run that reports plot. */
    public enum Curve {
        THROUGHPUT,
        C2,
        C2_QUEUE,
        METHOD_LEVELS,
        COMPILATIONS,
        STOPS,
        MEMORY,
        CODE_CACHE,
        DEOPTIMISATIONS
    }

    public enum FindingState {
        /** Scripts read this state as {@code held}. */
        CONFIRMED("held"),
        RULED_OUT("ruled-out"),
        NOT_OBSERVABLE("not-observable");

        private final String text;

        FindingState(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /** @param when the moment that proves it, for a link into the timeline; empty where it is no moment */
    public record Proof(String text, Optional<Moment> when) {}

    /** A Moment is a span in seconds since the first request, as in the curves. */
    public record Moment(double fromSecond, double toSecond) {}

    /**
     * @param what as an order: what to do
     * @param how flag or command; empty where it is no command
     * @param change what Kiln can try of it; empty where somebody else has to do it
     */
    public record FindingRemedy(String what, String how, String cost, RemedyPlace place, Optional<Change> change) {
        public FindingRemedy(String what, String how, String cost, RemedyPlace place) {
            this(what, how, cost, place, Optional.empty());
        }

        public FindingRemedy tried(Change by) {
            return new FindingRemedy(what, how, cost, place, Optional.of(by));
        }
    }

    /** A RemedyPlace says where a remedy applies. */
    public enum RemedyPlace {
        LAUNCH_FLAG("launch flag"),
        CODE("code"),
        LIVE_PROCESS("live process"),
        PLATFORM("platform");

        private final String text;

        RemedyPlace(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }
}
