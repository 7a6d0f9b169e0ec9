package dev.kiln.report.terminal;

import dev.kiln.report.TerminalStyle;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** LiveLine writes a running experiment in one line, never wider than the terminal. */
public final class LiveLine {
    private static final int SPARK = 20;

    private LiveLine() {}

    /** Returns the line without a line end: the caller rewrites the line or prints it. */
    public static String render(Status status, TerminalStyle style) {
        List<String> parts = new ArrayList<>();
        parts.add(status.position() + " " + status.variant());
        parts.add(status.phase().name() + " "
                + right(Show.whole(Math.floor(status.phase().second())), 3) + "/"
                + Show.whole(status.phase().seconds()) + " s");
        parts.add(right(Show.whole(status.requestsPerSecond()), 6) + " req/s");
        status.p99Millis().ifPresent(ms -> parts.add("p99 " + right(Show.three(ms), 4) + " ms"));
        c2(status.c2()).ifPresent(parts::add);
        status.c2().forecast().ifPresent(parts::add);
        String separator = style.unicode() ? " \u2502 " : " | ";
        String line = style.chars(String.join(" | ", parts)).replace(" | ", separator);
        int room = style.width() - line.length() - separator.length();
        if (room >= 5 && !status.recent().isEmpty()) {
            // From zero to the highest of all, so that a low plateau looks low compared with what came before.
            double top = status.recent().stream()
                    .mapToDouble(Double::doubleValue)
                    .max()
                    .orElse(0);
            line += separator + Sparkline.fromZero(status.recent(), Math.min(room, SPARK), top, style.unicode());
        }
        return style.cut(line);
    }

    private static Optional<String> c2(Status.LiveC2 c2) {
        if (!Show.present(c2.cpuShare()) || !Show.present(c2.waitShare())) {
            return Optional.empty();
        }
        return Optional.of("C2 " + right(Show.whole(100 * c2.cpuShare().orElseThrow()), 3) + " % CPU, "
                + right(Show.whole(100 * c2.waitShare().orElseThrow()), 3) + " % waiting");
    }

    private static String right(String text, int width) {
        return " ".repeat(Math.max(0, width - text.length())) + text;
    }

    /**
     * A Status says what a running experiment is doing.
     *
     * @param position which run of how many, for instance {@code 3/8}
     * @param recent throughput of the last seconds, oldest first
     */
    public record Status(
            String variant,
            String position,
            LivePhase phase,
            double requestsPerSecond,
            OptionalDouble p99Millis,
            LiveC2 c2,
            List<Double> recent) {
        /**
         * A LivePhase is where the run is in its phase.
         *
         * @param second since the phase began
         * @param seconds that the phase lasts
         */
        public record LivePhase(String name, double second, double seconds) {}

        /**
         * A LiveC2 is how C2 fares.
         *
         * @param cpuShare of one CPU
         * @param waitShare C2 threads waiting for a CPU on average
         * @param forecast a few words, while C2 is starved
         */
        public record LiveC2(OptionalDouble cpuShare, OptionalDouble waitShare, Optional<String> forecast) {}
    }
}
