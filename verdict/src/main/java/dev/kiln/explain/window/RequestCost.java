package dev.kiln.explain.window;

import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.stats.AnalysisConfig;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A RequestCost is what a request cost the target in the window, and in the reference. */
public record RequestCost(Served window, Served reference) {
    /** A Served is the CPU that the target used, in user mode where known, and requests per second. */
    public record Served(double cpu, double perSecond) {
        /** Returns the CPU time of a request; infinite where none was completed. */
        public double millis() {
            return perSecond > 0 ? 1e3 * cpu / perSecond : Double.POSITIVE_INFINITY;
        }
    }

    /**
     * Returns empty where the CPU time or the load of either was not recorded, where no load came after the window, and where
     * other processes served part of it.
     */
    public static Optional<RequestCost> of(WindowEvidence s) {
        return s.others()
                .reference()
                .flatMap(other -> served(other, other.window()))
                .filter(reference -> reference.perSecond() > 0 && reference.cpu() > 0)
                .flatMap(reference -> served(s, s.window()).map(window -> new RequestCost(window, reference)));
    }

    private static Optional<Served> served(WindowEvidence s, Window window) {
        List<PartSample> rows = window.of(
                s.evidence().parts().stream()
                        .filter(row -> row.part().equals("target"))
                        .toList(),
                PartSample::timeNanos);
        if (rows.size() < 2
                || s.evidence().load().isEmpty()
                || s.evidence().sent().shared()) {
            return Optional.empty();
        }
        Window between = new Window(rows.getFirst().timeNanos(), rows.getLast().timeNanos());
        long completed = between.of(s.evidence().load(), LoadBin::startNanos).stream()
                .filter(bin -> bin.endNanos() <= between.toNanos())
                .mapToLong(LoadBin::completed)
                .sum();
        return Optional.of(new Served(
                (cpu(rows.getLast()) - cpu(rows.getFirst())) / 1e9 / between.seconds(), completed / between.seconds()));
    }

    private static double cpu(PartSample row) {
        return row.modes().map(PartSample.Modes::userNanos).orElse(row.cpuNanos());
    }

    public double ratio() {
        return window.millis() / reference.millis();
    }

    /** Tells whether a request cost more in the window, by more than counts as a difference. */
    public boolean rose() {
        return ratio() > 1 + AnalysisConfig.DELTA;
    }

    public String words() {
        return String.format(
                Locale.ROOT,
                "a request cost %.3g ms of CPU, and %.3g ms in the last load",
                window.millis(),
                reference.millis());
    }
}
