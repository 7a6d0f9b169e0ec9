package dev.kiln.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A running experiment in one line, never wider than the terminal. */
public final class LiveLine {
    private static final String BARS = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588";
    private static final String ASCII_BARS = "_.-=*#%@";
    private static final int SPARK = 20;

    private LiveLine() {}

    /** Without line end; the caller rewrites the line or prints it. */
    public static String render(LiveStatus status, TerminalStyle style) {
        List<String> parts = new ArrayList<>();
        parts.add(status.position() + " " + status.variant());
        parts.add(status.phase() + " " + right(Text.whole(Math.floor(status.second())), 3) + "/"
                + Text.whole(status.phaseSeconds()) + " s");
        parts.add(right(Text.whole(status.requestsPerSecond()), 6) + " req/s");
        status.p99Millis().ifPresent(ms -> parts.add("p99 " + right(Text.three(ms), 4) + " ms"));
        c2(status).ifPresent(parts::add);
        status.forecast().ifPresent(parts::add);
        String separator = style.unicode() ? " \u2502 " : " | ";
        String line = style.chars(String.join(" | ", parts)).replace(" | ", separator);
        int room = style.width() - line.length() - separator.length();
        if (room >= 5 && !status.recent().isEmpty()) {
            line += separator + spark(status.recent(), Math.min(room, SPARK), style.unicode() ? BARS : ASCII_BARS);
        }
        return line.length() <= style.width() ? line : line.substring(0, Math.max(0, style.width()));
    }

    private static Optional<String> c2(LiveStatus status) {
        if (!Text.present(status.c2CpuShare()) || !Text.present(status.c2WaitShare())) {
            return Optional.empty();
        }
        return Optional.of("C2 " + right(Text.whole(100 * status.c2CpuShare().orElseThrow()), 3) + " % CPU, "
                + right(Text.whole(100 * status.c2WaitShare().orElseThrow()), 3) + " % waiting");
    }

    /** Scaled from zero, so that a low plateau looks low beside what came before. */
    private static String spark(List<Double> values, int width, String bars) {
        List<Double> last = values.subList(Math.max(0, values.size() - width), values.size());
        double top = values.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        return last.stream()
                .map(v -> top <= 0 ? 0 : (int) Math.round(v / top * (bars.length() - 1)))
                .map(level -> bars.substring(level, level + 1))
                .collect(Collectors.joining());
    }

    private static String right(String text, int width) {
        return " ".repeat(Math.max(0, width - text.length())) + text;
    }
}
