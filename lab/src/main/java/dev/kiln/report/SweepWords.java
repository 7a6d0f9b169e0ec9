package dev.kiln.report;

import dev.kiln.explain.study.SweepResult.Density;
import dev.kiln.explain.study.SweepResult.SweepConfiguration;
import dev.kiln.model.DensityStudy;
import dev.kiln.stats.ScalabilityFit;
import dev.kiln.stats.ScalabilityFit.TooFewLevels;
import dev.kiln.stats.UniversalScalability;
import java.math.BigDecimal;
import java.math.MathContext;

/** What a sweep's fit and its density say, in words. */
final class SweepWords {
    private SweepWords() {}

    static String fit(SweepConfiguration one) {
        return one.name() + ": " + law(one.fit());
    }

    private static String law(ScalabilityFit fit) {
        return switch (fit) {
            case TooFewLevels few -> "not enough data for the universal scalability law: " + few.why();
            case UniversalScalability law ->
                "universal scalability law: one connection " + coefficient(law.lambda()) + " req/s, contention "
                        + coefficient(law.sigma()) + ", crosstalk " + coefficient(law.kappa()) + "; " + peak(law)
                        + "; points lie " + Text.three(law.residualSd()) + " req/s about it (standard deviation, "
                        + Text.plural(law.points(), "run") + ")";
        };
    }

    private static String coefficient(UniversalScalability.Coefficient c) {
        return c.held() ? "0 (at its bound)" : digits(c.value()) + " [" + digits(c.lo()) + ", " + digits(c.hi()) + "]";
    }

    private static String peak(UniversalScalability law) {
        UniversalScalability.Range range = law.peakRange();
        if (!law.peakTold()) {
            return "no peak is told apart from none"
                    + (range.lo() > 1 ? ": it would lie beyond " + Text.three(range.lo()) + " connections" : "");
        }
        UniversalScalability.Peak peak = law.peak().orElseThrow();
        return "peak " + Text.whole(peak.throughput()) + " req/s with " + Text.three(peak.connections())
                + " connections [" + Text.three(range.lo()) + ", "
                + Text.three(range.hi().orElseThrow()) + "]"
                + (law.peakMeasured() ? "" : ", beyond the levels that were measured and so a guess");
    }

    /** Three significant digits, never an exponent. */
    static String digits(double value) {
        if (Math.abs(value) >= 100) {
            return Text.whole(value);
        }
        return value == 0
                ? "0"
                : BigDecimal.valueOf(value)
                        .round(new MathContext(3))
                        .stripTrailingZeros()
                        .toPlainString();
    }

    static String memory(long bytes) {
        return Text.megabytes(bytes) + " MiB";
    }

    /** That it is theory stands before the figures. */
    static String densityHead(Density density) {
        return "Processes that fit " + memory(density.memoryBytes()) + ", in theory";
    }

    /** Beside what the same number of processes would serve by adding up. */
    static String verified(Density density, DensityStudy.Measured measured) {
        String memory = measured.pssBytes() > 0
                ? "PSS " + memory(measured.pssBytes()) + ", RSS " + memory(measured.rssBytes())
                : "RSS " + memory(measured.rssBytes());
        String errors = measured.errors() == 0 ? "" : ", " + Text.plural(measured.errors(), "error");
        String notes = measured.notes().isEmpty() ? "" : " (" + String.join("; ", measured.notes()) + ")";
        String processes = measured.processes() == 1 ? "1 process" : Text.whole(measured.processes()) + " processes";
        return "Verified: " + processes + " of " + measured.configuration() + " with "
                + Text.plural(measured.connections(), "connection") + " each served "
                + Text.whole(measured.throughput()) + " req/s together over " + Text.seconds(measured.seconds()) + " s"
                + ofTheory(density, measured) + ", and took at most " + memory + errors + notes;
    }

    private static String ofTheory(Density density, DensityStudy.Measured measured) {
        return density.theory().stream()
                .filter(row -> row.configuration().equals(measured.configuration()))
                .findFirst()
                .map(row -> ", " + Text.percent(measured.throughput() / (row.throughput() * measured.processes()))
                        + " % of the theory")
                .orElse("");
    }
}
