package dev.kiln.model;

import java.util.List;
import java.util.Optional;

/**
 * One cause held for or against.
 *
 * @param id stable, for scripts: {@code c2-starved}
 * @param title in words
 * @param weight orders what held: 0 explains nothing of the slowness, 1 all of it
 * @param evidence the figures that say so, or what is missing
 * @param remedies what would cure it; empty unless it held
 */
public record Finding(
        String id, String title, State state, double weight, List<Proof> evidence, List<Remedy> remedies) {
    public Finding {
        evidence = List.copyOf(evidence);
        remedies = List.copyOf(remedies);
    }

    public enum State {
        HELD("held"),
        RULED_OUT("ruled-out"),
        NOT_OBSERVABLE("not-observable");

        private final String text;

        State(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /** @param when the moment that proves it, for a link into the timeline; empty where it is no moment */
    public record Proof(String text, Optional<Moment> when) {}

    /** Seconds since the first request, as in the curves. */
    public record Moment(double fromSecond, double toSecond) {}

    /**
     * @param what as an order: what to do
     * @param how flag or command; empty where it is no command
     * @param cost what it costs
     */
    public record Remedy(String what, String how, String cost, Place place) {}

    /** Where a remedy applies. */
    public enum Place {
        LAUNCH_FLAG("launch flag"),
        LIVE_PROCESS("live process"),
        PLATFORM("platform");

        private final String text;

        Place(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }
}
