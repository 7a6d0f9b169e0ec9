package dev.kiln.explain;

import dev.kiln.model.Finding.Moment;
import dev.kiln.model.Finding.Proof;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * From when to when C2 was starved under the load before the last pause, in seconds since the first request.
 *
 * @param toEnd whether it still was at the end of that load
 */
record StarvedSpell(double from, double to, boolean toEnd) {
    /** Seconds that are judged together: one alone may credit the wait of many. */
    private static final int STEP = 5;

    static Optional<StarvedSpell> of(List<Curves.JitPoint> points, double end) {
        List<Curves.JitPoint> loaded =
                points.stream().filter(p -> p.second() >= 0 && p.second() < end).toList();
        double from = Double.NaN;
        double to = Double.NaN;
        for (int i = 0; i + STEP <= loaded.size(); i += STEP) {
            List<Curves.JitPoint> step = loaded.subList(i, i + STEP);
            Situation.Use use = new Situation.Use(
                    step.stream().mapToDouble(Curves.JitPoint::c2Cpu).sum() / STEP,
                    step.stream().mapToDouble(Curves.JitPoint::c2Wait).sum() / STEP);
            if (use.starved()) {
                from = Double.isNaN(from) ? step.getFirst().second() : from;
                to = step.getLast().second() + 1;
            }
        }
        return Double.isNaN(from) ? Optional.empty() : Optional.of(new StarvedSpell(from, to, to > end - STEP));
    }

    Proof proof() {
        return Named.proof(
                toEnd
                        ? String.format(
                                Locale.ROOT, "it was starved from second %.0f to the end of the load, %.0f s", from, to)
                        : String.format(
                                Locale.ROOT,
                                "it was starved from second %.0f, the last time until second %.0f",
                                from,
                                to),
                new Moment(from, to));
    }
}
