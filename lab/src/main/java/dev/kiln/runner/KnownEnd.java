package dev.kiln.runner;

import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.TemplateCall;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.recorder.Recording.CompilerLoad;
import dev.kiln.runner.RunControl.Judge;
import dev.kiln.runner.RunControl.Judge.Known;
import dev.kiln.runner.RunControl.Judge.KnownRule;
import dev.kiln.runner.RunControl.Judge.WatchedSecond;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A KnownEnd ends the first load of a run as soon as what the rest of it would show is known. */
final class KnownEnd {
    private final Phase.Load phase;
    private final KnownRule rule;
    private final Judge judge;
    private final Runnable finish;
    private final List<WatchedSecond> seconds = new ArrayList<>();
    private Known last = new Known(false, "the load was shorter than the least that it takes");

    /**
     * Makes the end of one phase, by calling {@code finish}; one of a fixed length is left alone.
     *
     * @param processes that share the load
     */
    KnownEnd(Phase.Load phase, LoadTemplate load, int processes, Judge judge, Runnable finish) {
        this.phase = phase;
        this.rule = new KnownRule(
                phase.untilKnownFrom().orElse(phase.duration()).toMillis() / 1e3,
                phase.duration().toMillis() / 1e3,
                rarest(load) / processes);
        this.judge = judge;
        this.finish = finish;
    }

    /** Returns the share of the requests that the rarest call has; steps of a session are as frequent as each other. */
    private static double rarest(LoadTemplate load) {
        List<TemplateCall> calls = load.calls();
        return load.inSession()
                ? 1.0 / calls.size()
                : (double) calls.stream().mapToInt(TemplateCall::weight).min().orElse(1)
                        / Math.max(
                                1, calls.stream().mapToInt(TemplateCall::weight).sum());
    }

    /** Adds a second of the load; what is served with more CPU than the target will keep shows nothing. */
    void second(double requestsPerSecond, Optional<CompilerLoad> compilers, boolean boosted) {
        if (phase.untilKnownFrom().isEmpty() || last.ends()) {
            return;
        }
        seconds.add(new WatchedSecond(requestsPerSecond, compilers));
        // In its last second there is nothing left to end.
        if (seconds.size() < rule.least() || seconds.size() >= rule.most()) {
            return;
        }
        last = boosted ? new Known(false, "the CPU boost lasted") : judge.known(rule, seconds);
        if (last.ends()) {
            finish.run();
        }
    }

    /** Returns when and why the load ended, or did not end early; empty for one of a fixed length. */
    Optional<String> words() {
        if (phase.untilKnownFrom().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                last.ends()
                        ? String.format(
                                Locale.ROOT,
                                "ended after %d of at most %.0f s: %s",
                                seconds.size(),
                                rule.most(),
                                last.why())
                        : String.format(Locale.ROOT, "took all of its %.0f s: %s", rule.most(), last.why()));
    }
}
