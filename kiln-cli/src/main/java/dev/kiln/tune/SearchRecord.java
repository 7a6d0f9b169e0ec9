package dev.kiln.tune;

import dev.kiln.stats.Descriptive;
import dev.kiln.tune.Screening.Screened;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** A SearchRecord is what a search knows of a candidate so far. */
final class SearchRecord {
    /** Against the baseline of the same block of whole runs, in the goal's unit; positive is better. */
    final List<Double> gains = new ArrayList<>();

    final List<Pairs> peaks = new ArrayList<>();
    Optional<Screened> screened = Optional.empty();
    int runs;
    /** What became of it, in words; empty while nothing is decided. */
    Optional<String> outcome = Optional.empty();

    /** The search tries it no more. */
    boolean out;

    /** The candidate is judged if something was measured of it, or if it is known to be unusable. */
    boolean judged;

    void became(String words) {
        outcome = Optional.of(words);
    }

    /** Returns what is known of its outcome while the search goes on, in words. */
    String soFar() {
        return outcome.orElse(gains.isEmpty() ? "not tried yet" : "not decided yet");
    }

    /** Says what became of a candidate that was tried and not decided. */
    void ended(boolean anotherIsProven) {
        if (outcome.isEmpty() && !gains.isEmpty()) {
            became(anotherIsProven ? "another was the best" : "not proven: the search ended before");
        }
    }

    /** Returns the median gain; empty without whole runs. */
    Optional<Double> gain() {
        OptionalDouble median = Descriptive.median(gains.stream().mapToDouble(Double::doubleValue));
        return median.isPresent() ? Optional.of(median.getAsDouble()) : Optional.empty();
    }

    /** Returns how much more than the baseline its screen was on the way to serve, as a share; -1 where it was not screened. */
    double served() {
        return screened.map(Screened::gain).orElse(-1.0);
    }
}
