package dev.kiln.report.terminal;

import dev.kiln.report.TerminalStyle;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** LiveLine is a running experiment in one line: where the terminal is narrow, what says least is left out. */
public final class LiveLine {
    private static final int SPARK = 20;

    /** A shorter curve shows nothing. */
    private static final int LEAST_SPARK = 5;

    private static final String SEPARATOR = " | ";

    private LiveLine() {}

    /** Returns the line without a line end: the caller rewrites the line or prints it. */
    public static String render(Status status, TerminalStyle style) {
        String separator = style.unicode() ? " \u2502 " : SEPARATOR;
        List<Part> parts = parts(status);
        while (joined(parts).length() > style.columns() && parts.size() > 1) {
            Part least = Collections.max(parts, Comparator.comparingInt(Part::rank));
            int at = parts.indexOf(least);
            parts.remove(at);
            least.shorter().ifPresent(shorter -> parts.add(at, shorter));
        }
        String line = style.chars(joined(parts)).replace(SEPARATOR, separator);
        int room = style.columns() - line.length() - separator.length();
        if (room >= LEAST_SPARK && !status.recent().isEmpty()) {
            // From zero to the highest of all, so that a low plateau looks low compared with what came before.
            double top = status.recent().stream()
                    .mapToDouble(Double::doubleValue)
                    .max()
                    .orElse(0);
            line += separator + Sparkline.fromZero(status.recent(), Math.min(room, SPARK), top, style.unicode());
        }
        return style.cut(line);
    }

    /**
     * A Part is something that the line says.
     *
     * @param rank the part with the highest is left out first
     * @param shorter what takes its place then, if anything does
     */
    private record Part(int rank, String text, Optional<Part> shorter) {
        Part(int rank, String text) {
            this(rank, text, Optional.empty());
        }
    }

    private static List<Part> parts(Status status) {
        List<Part> parts = new ArrayList<>();
        parts.add(new Part(0, status.position() + " " + status.variant()));
        parts.add(new Part(
                1,
                status.phase().name() + " "
                        + right(Show.whole(Math.floor(status.phase().second())), 3) + "/"
                        + Show.whole(status.phase().seconds()) + " s"));
        parts.add(new Part(3, right(Show.whole(status.requestsPerSecond()), 6) + " req/s"));
        status.p99Millis().ifPresent(ms -> parts.add(new Part(8, "p99 " + right(Show.three(ms), 4) + " ms")));
        c2(status.c2()).ifPresent(parts::add);
        status.c2().forecast().ifPresent(text -> parts.add(new Part(7, text)));
        status.left().ifPresent(left -> parts.add(new Part(5, left.words(), Optional.of(new Part(2, left.brief())))));
        return parts;
    }

    private static String joined(List<Part> parts) {
        return parts.stream().map(Part::text).collect(Collectors.joining(SEPARATOR));
    }

    private static Optional<Part> c2(Status.LiveC2 c2) {
        if (!Show.present(c2.cpuShare()) || !Show.present(c2.waitShare())) {
            return Optional.empty();
        }
        String waiting = right(Show.whole(100 * c2.waitShare().orElseThrow()), 3) + " % waiting";
        String whole = "C2 " + right(Show.whole(100 * c2.cpuShare().orElseThrow()), 3) + " % CPU, " + waiting;
        return Optional.of(new Part(6, whole, Optional.of(new Part(4, "C2 " + waiting))));
    }

    private static String right(String text, int width) {
        return " ".repeat(Math.max(0, width - text.length())) + text;
    }

    /**
     * A Status says what a running experiment is doing.
     *
     * @param position which run of how many, for instance {@code 3/8}
     * @param left how long all of it still takes; empty where nobody knows
     * @param recent throughput of the last seconds, oldest first
     */
    public record Status(
            String variant,
            String position,
            LivePhase phase,
            Optional<LiveLeft> left,
            double requestsPerSecond,
            OptionalDouble p99Millis,
            LiveC2 c2,
            List<Double> recent) {
        /** A LivePhase is where the run is in its phase, in seconds of all that it lasts. */
        public record LivePhase(String name, double second, double seconds) {}

        /** A LiveLeft is how long the experiment still takes, and the same in fewer words. */
        public record LiveLeft(String words, String brief) {}

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
