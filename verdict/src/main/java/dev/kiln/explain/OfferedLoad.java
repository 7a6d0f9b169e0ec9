package dev.kiln.explain;

import dev.kiln.explain.window.LoadSeries;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.run.RunEvidence;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** An OfferedLoad is what a load asked of the service; where all was served, the share tolerance may be missing. */
record OfferedLoad(RunEvidence evidence, double tolerance) {
    /** Users were served if they sent this share of what think times allow: they wait less than they think. */
    private static final double MOSTLY_THINKING = 0.5;

    /** Returns requests per second, a replay's mean over the loads; empty where only the service limits them. */
    OptionalDouble rate(List<LoadSeries> loads) {
        if (evidence.info().load().replay().isEmpty()) {
            return evidence.info().load().offeredRate();
        }
        double requests = loads.stream().mapToDouble(load -> replayed(load, 0)).sum();
        double seconds = loads.stream()
                .mapToDouble(load -> load.bins() * load.binSeconds())
                .sum();
        return OptionalDouble.of(requests / seconds);
    }

    /** Tells whether what was offered in a load was served, from one of its seconds on. */
    boolean served(LoadSeries load, int from) {
        int first = Math.min(from, load.bins());
        double served = Arrays.stream(load.completed(), first, load.bins()).sum();
        double offered = evidence.info().load().replay().isPresent()
                ? replayed(load, first)
                : IntStream.range(first, load.bins())
                        .mapToDouble(second -> offered(load, second))
                        .sum();
        double enough = thinking() ? MOSTLY_THINKING : 1 - tolerance;
        return served > 0 && served >= enough * offered;
    }

    /** Tells whether nothing but the think times of users limits how much is sent. */
    private boolean thinking() {
        LoadSpec load = evidence.info().load();
        return load.rate().isEmpty() && load.offeredRate().isPresent();
    }

    /** Returns the offer in words, where the load has no rate of its own; else it is empty. */
    Optional<String> words(double rate) {
        return evidence.info()
                .load()
                .replay()
                .map(replay -> String.format(
                        Locale.ROOT, "all requests replayed from %s (about %.0f per second)", replay.name(), rate))
                .or(() -> thinking()
                        ? Optional.of(String.format(
                                Locale.ROOT, "the requests of users who mostly think (at most %.0f per second)", rate))
                        : Optional.empty());
    }

    /** Counts the requests of a recording that were due: those that ended, and those that newly wait. */
    private double replayed(LoadSeries load, int first) {
        long from = load.startNanos() + Math.round(first * load.binSeconds() * 1e9);
        long before = 0;
        long waiting = 0;
        long ended = 0;
        for (LoadBin bin : evidence.load()) {
            if (bin.phase().equals(load.phase()) && bin.endNanos() <= load.endNanos()) {
                waiting = bin.backlog();
                if (bin.endNanos() <= from) {
                    before = bin.backlog();
                } else {
                    ended += bin.completed() + bin.errors().total();
                }
            }
        }
        return ended + waiting - before;
    }

    /** Returns the rate offered in a second of a load; infinite where only the service limits it. */
    private double offered(LoadSeries load, int second) {
        LoadSpec spec = evidence.info().load();
        return evidence.info().protocol().shaped().stream()
                .filter(phase -> phase.name().equals(load.phase()))
                .filter(phase -> phase.shape().orElseThrow().changesRate(spec))
                .findFirst()
                .map(phase -> phase.shape()
                        .orElseThrow()
                        .rate(
                                spec,
                                (second + 0.5) * load.binSeconds(),
                                phase.duration().toNanos() / 1e9))
                .orElse(spec.offeredRate().orElse(Double.POSITIVE_INFINITY));
    }
}
