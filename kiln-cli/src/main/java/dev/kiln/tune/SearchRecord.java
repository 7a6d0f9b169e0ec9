package dev.kiln.tune;

import dev.kiln.stats.Descriptive;
import dev.kiln.tune.Screening.Screened;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** A SearchRecord is what a search knows of a candidate so far. */
final class SearchRecord {
    static final String NOT_MEASURED = "the machine spoiled its runs";

    /** In the goal's unit, of each block of whole runs. */
    final List<Double> gains = new ArrayList<>();

    final List<Pairs> peaks = new ArrayList<>();
    Optional<Screened> screened = Optional.empty();
    int runs;
    /** What became of it, in words; empty while it was not tried. */
    Optional<String> fate = Optional.empty();

    boolean out;

    /** The candidate is judged if something was measured of it, or if it is known to be unusable. */
    boolean judged;

    void became(String words) {
        fate = Optional.of(words);
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
