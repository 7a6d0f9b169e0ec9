package dev.kiln.model.experiment;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A Hook is a command of the user's own that Kiln runs in a folder, at a moment of an experiment. */
public record Hook(HookMoment moment, List<String> command, Path folder) {
    public Hook {
        command = List.copyOf(command);
    }

    /** Returns the hook of a moment; empty where there is none. */
    public static Optional<Hook> of(Collection<Hook> hooks, HookMoment moment) {
        return hooks.stream().filter(hook -> hook.moment == moment).findFirst();
    }

    /** A HookMoment is when a hook runs. Undoing hooks run in any case, if need be by the next Kiln. */
    public enum HookMoment {
        /** Once: before the first run of an experiment, or of a variant. */
        PREPARE("prepare"),
        /** Once, after the last run. */
        CLEANUP("cleanup"),
        /** Before each run, when the database is there. */
        BEFORE_RUN("beforeRun"),
        /** After each run, when the target has ended. */
        AFTER_RUN("afterRun"),
        /** This command runs in place of a launch: it has a service started anew by whoever starts it. */
        RESTART("restart"),
        /** This command runs at the end of a run of such a service. */
        STOP("stop");

        /** An experiment has these. */
        public static final List<HookMoment> OF_EXPERIMENT = List.of(PREPARE, CLEANUP);

        /** A target or a variant can have each of them. */
        public static final List<HookMoment> OF_TARGET = List.of(values());

        private final String key;

        HookMoment(String key) {
            this.key = key;
        }

        /** Returns its key in an experiment file, which is its name in messages too. */
        public String key() {
            return key;
        }

        /** Tells whether the hook runs once for several runs, so that nothing of a single run is known to it. */
        public boolean once() {
            return OF_EXPERIMENT.contains(this);
        }

        /** Returns the keys of these moments. */
        public static Stream<String> keys(Collection<HookMoment> moments) {
            return moments.stream().map(HookMoment::key);
        }
    }
}
