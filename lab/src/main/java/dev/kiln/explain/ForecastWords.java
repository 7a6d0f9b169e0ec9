package dev.kiln.explain;

import dev.kiln.model.Forecast;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A forecast in words. */
public final class ForecastWords {
    private ForecastWords() {}

    /** The last one, which knows most; empty where none was made. */
    public static Optional<String> last(List<Forecast> forecasts) {
        return forecasts.isEmpty() ? Optional.empty() : Optional.of(of(forecasts.getLast()));
    }

    static String of(Forecast forecast) {
        return String.format(
                Locale.ROOT,
                "at the share that C2 had by second %.0f (%.1f %% of a CPU) it needs %s; with the compilers favoured %s;"
                        + " counted from the first request",
                forecast.atSecond(),
                100 * forecast.c2Share(),
                interval(forecast.asItIs()),
                interval(forecast.favoured()));
    }

    /** For the line of a running experiment: {@code peak at ~330 s}. */
    public static String brief(Forecast forecast) {
        return String.format(
                Locale.ROOT, "peak at ~%.0f s", rounded(forecast.asItIs().middle()));
    }

    private static String interval(Forecast.Interval seconds) {
        return String.format(Locale.ROOT, "about %.0f s (%s)", rounded(seconds.middle()), bounds(seconds));
    }

    private static String bounds(Forecast.Interval seconds) {
        return Double.isInfinite(seconds.high())
                ? String.format(Locale.ROOT, "%.0f s at the least", rounded(seconds.low()))
                : String.format(Locale.ROOT, "%.0f to %.0f s", rounded(seconds.low()), rounded(seconds.high()));
    }

    /** Two digits: more would claim more than is known. */
    private static double rounded(double seconds) {
        double step = seconds >= 100 ? Math.pow(10, Math.floor(Math.log10(seconds)) - 1) : 1;
        return Math.round(seconds / step) * step;
    }
}
