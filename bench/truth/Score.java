import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * Holds answers against the truth and prints Markdown. DIR NAME=ANSWERS.json..., DIR with {@code truth.json}. Exit status 1
 * where the first one misses a bound.
 */
final class Score {
    /** Most of all verdicts, and of a family's, that may be wrong; most that may be "cannot tell". */
    private static final double WRONG = 0.02, WRONG_IN_FAMILY = 0.05, UNDECIDED = 0.15;

    /** Least share of times to peak that must be given; bounds of the share of intervals with the true one in them. */
    private static final double ANSWERED = 0.98, COVERED = 0.93, COVERED_AT_MOST = 0.995;

    /** Most of a family's times to peak that may lie outside their interval; of a family with as many series. */
    private static final double MISSED_IN_FAMILY = 0.07;

    private static final int MANY_IN_FAMILY = 30;

    /** Figures with an interval, in the order in which they are printed. */
    private static final List<String> FIGURES = List.of("T50", "T90", "T95", "T99", "P", "end", "r", "cost", "jump");

    /** Intervals of which half a percent is one. */
    private static final int MANY = 200;

    /** Seconds: most median width for noise up to {@link #QUIET}; how far outside its interval a true time may lie. */
    private static final double WIDTH = 2, QUIET = 0.05, BIN = 1;

    private static final List<String> UNDECIDED_WORDS = List.of("cannot tell", "not enough data", "invalid", "missing");

    /** What one family, or all, came to. */
    private static final class Tally {
        private final Map<String, Integer> wrongWords = new TreeMap<>();
        private final List<Double> widths = new ArrayList<>();
        private int series;
        private int wrong;
        private int undecided;
        private int asked;
        private int answered;
        private int covered;
        private final Map<String, int[]> intervals = new TreeMap<>();
        private final List<Double> peakBias = new ArrayList<>();
        private final List<Double> late = new ArrayList<>();
        private final List<Double> early = new ArrayList<>();

        private void interval(String figure, double truth, double lo, double hi, double slack) {
            int[] of = intervals.computeIfAbsent(figure, name -> new int[2]);
            of[0]++;
            of[1] += truth >= lo - slack && truth <= hi + slack ? 1 : 0;
        }

        private String inside(String figure) {
            int[] of = intervals.get(figure);
            return of == null ? "-" : percent(share(of[1], of[0]));
        }

        /** Every interval that is printed, against the truth where that has one value. */
        private void figures(JsonNode said, JsonNode truth) {
            double end = truth.path("seconds").asDouble();
            for (Map.Entry<String, JsonNode> at : truth.path("times").properties()) {
                JsonNode time = said.path("timeToPeak").path(at.getKey());
                if (time.has("lo")) {
                    double known = or(at.getValue(), end);
                    interval("T" + at.getKey(), known, or(time.path("lo"), end), or(time.path("hi"), end), BIN);
                    if (at.getKey().equals("90")) {
                        double away = or(time.path("seconds"), end) - known;
                        late.add(Math.max(0, away));
                        early.add(Math.max(0, -away));
                    }
                }
            }
            JsonNode peak = said.path("referencePeak");
            if (truth.path("peak").isNumber() && peak.has("value")) {
                double known = truth.path("peak").asDouble();
                peakBias.add(peak.path("value").asDouble() / known - 1);
                double hi = peak.path("lowerBound").asBoolean() ? Double.MAX_VALUE : peak.path("hi").asDouble();
                interval("P", known, peak.path("lo").asDouble(), hi, 0.5);
            }
            interval("end", truth.path("end"), said.path("endOfWarmupInterval"), 0.5);
            if (!peak.path("lowerBound").asBoolean()) {
                interval("r", truth.path("endOverPeak"), said.path("endOverPeak"), 1e-3);
                interval("cost", truth.path("costSeconds"), said.path("deficitSecondsInterval"), 0.05);
            }
            interval("jump", truth.path("jump"), said.path("cooldownJumpInterval"), 1e-3);
        }

        private void interval(String figure, JsonNode truth, JsonNode said, double slack) {
            if (truth.isNumber() && said.has("lo")) {
                interval(figure, truth.asDouble(), said.path("lo").asDouble(), said.path("hi").asDouble(), slack);
            }
        }

        private static double mean(List<Double> values) {
            return values.stream().mapToDouble(value -> value).average().orElse(Double.NaN);
        }

        private void verdict(String said, List<String> right) {
            series++;
            if (right.contains(said)) {
                return;
            }
            if (UNDECIDED_WORDS.contains(said)) {
                undecided++;
            } else {
                wrong++;
                wrongWords.merge(said, 1, Integer::sum);
            }
        }

        private void time(JsonNode said, JsonNode truth) {
            asked++;
            if (!said.has("lo") || !said.has("hi")) {
                return;
            }
            answered++;
            // A time beyond the load is taken for its end: an interval that reaches there is as wide as what is left of
            // it.
            double end = truth.path("seconds").asDouble();
            double lo = or(said.path("lo"), end);
            double hi = or(said.path("hi"), end);
            JsonNode at = truth.path("t90");
            double from = or(at.isArray() ? at.get(0) : at, end);
            double to = or(at.isArray() ? at.get(1) : at, end);
            if (lo - BIN <= to && from <= hi + BIN) {
                covered++;
            }
            if (truth.path("noise").asDouble() <= QUIET) {
                widths.add(hi - lo);
            }
        }

        private double median() {
            Collections.sort(widths);
            return widths.isEmpty() ? Double.NaN : widths.get(widths.size() / 2);
        }

        private double coverage() {
            return share(covered, answered);
        }
    }

    private final Tally all = new Tally();
    private final Map<String, Tally> families = new TreeMap<>();

    private Score(JsonNode truths, Map<String, JsonNode> answers) {
        for (Map.Entry<String, JsonNode> entry : truths.properties()) {
            JsonNode truth = entry.getValue();
            JsonNode said = answers.get(entry.getKey());
            List<String> right = new ArrayList<>();
            truth.path("verdicts").forEach(v -> right.add(v.asString()));
            Tally family = families.computeIfAbsent(truth.path("family").asString(), name -> new Tally());
            for (Tally tally : List.of(all, family)) {
                tally.verdict(said == null ? "missing" : said.path("verdict").asString(), right);
                if (said != null) {
                    tally.figures(said, truth);
                }
                if (!truth.path("t90").isString()) {
                    tally.time(
                            said == null
                                    ? truths.path("")
                                    : said.path("timeToPeak").path("90"),
                            truth);
                }
            }
        }
    }

    /** By the name of its file, without the ending. */
    private static Map<String, JsonNode> answers(JsonNode file) {
        Map<String, JsonNode> out = new TreeMap<>();
        for (JsonNode one : file.path("series")) {
            String name = Path.of(one.path("source").asString()).getFileName().toString();
            out.put(name.replaceFirst("\\.csv$", ""), one);
        }
        return out;
    }

    private static double or(JsonNode value, double otherwise) {
        return value == null || value.isNull() || value.isMissingNode() ? otherwise : value.asDouble();
    }

    private static double share(int part, int of) {
        return of == 0 ? Double.NaN : (double) part / of;
    }

    /** Every bound that is missed; of a family's, its name. */
    private List<String> missed() {
        List<String> out = new ArrayList<>();
        check(out, "wrong verdicts in all", share(all.wrong, all.series) <= WRONG);
        families.forEach((name, tally) -> check(out, name, share(tally.wrong, tally.series) <= WRONG_IN_FAMILY));
        families.forEach((name, tally) -> check(
                out,
                "T90 of " + name,
                tally.answered < MANY_IN_FAMILY || tally.coverage() >= 1 - MISSED_IN_FAMILY));
        check(out, "no verdict", share(all.undecided, all.series) <= UNDECIDED);
        if (all.asked > 0) {
            check(out, "T90 answered", share(all.answered, all.asked) >= ANSWERED);
            check(out, "T90 within", all.coverage() >= COVERED);
            check(out, "T90 within too often", all.answered < MANY || all.coverage() <= COVERED_AT_MOST);
            check(out, "T90 width", all.widths.isEmpty() || all.median() <= WIDTH);
        }
        return out;
    }

    private static void check(List<String> missed, String bound, boolean held) {
        if (!held) {
            missed.add(bound);
        }
    }

    private static String percent(double share) {
        return Double.isNaN(share) ? "-" : String.format(Locale.ROOT, "%.1f", 100 * share);
    }

    private static String seconds(double width) {
        return Double.isNaN(width) ? "-" : String.format(Locale.ROOT, "%.0f", width);
    }

    public static void main(String[] args) throws IOException {
        ObjectMapper json = new ObjectMapper();
        JsonNode truths = json.readTree(Files.readString(Path.of(args[0], "truth.json")));
        Map<String, Score> scores = new LinkedHashMap<>();
        for (String one : Arrays.asList(args).subList(1, args.length)) {
            String[] named = one.split("=", 2);
            scores.put(named[0], new Score(truths, answers(json.readTree(Files.readString(Path.of(named[1]))))));
        }
        summary(scores);
        perFamily(scores);
        intervals(scores.values().iterator().next());
        List<String> missed = scores.values().iterator().next().missed();
        System.out.println();
        System.out.println(missed.isEmpty() ? "All bounds hold." : "Bounds missed: " + String.join("; ", missed) + ".");
        System.exit(missed.isEmpty() ? 0 : 1);
    }

    private static void summary(Map<String, Score> scores) {
        System.out.println(
                "| | series | wrong verdict % | no verdict % | T90 asked | answered % | true one inside % | median"
                        + " width s |");
        System.out.println("|---|--:|--:|--:|--:|--:|--:|--:|");
        scores.forEach((name, score) -> {
            Tally all = score.all;
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %d | %s | %s | %d | %s | %s | %s |%n",
                    name,
                    all.series,
                    percent(share(all.wrong, all.series)),
                    percent(share(all.undecided, all.series)),
                    all.asked,
                    percent(share(all.answered, all.asked)),
                    percent(all.coverage()),
                    seconds(all.median()));
        });
        System.out.printf(
                Locale.ROOT,
                "| bound | | %s | %s | | >= %s | %s to %s | %s |%n",
                percent(WRONG),
                percent(UNDECIDED),
                percent(ANSWERED),
                percent(COVERED),
                percent(COVERED_AT_MOST),
                seconds(WIDTH));
    }

    /** Of the first one: how often each printed interval has the true value in it, and how far the figures are off. */
    private static void intervals(Score score) {
        System.out.println();
        System.out.println("The true value is inside the printed interval, in percent (r: 84 % intervals, all others 95 %):");
        System.out.println();
        System.out.println("| family | " + String.join(" | ", FIGURES) + " | bias of P % | T90 late s | T90 early s |");
        System.out.println("|---|" + "--:|".repeat(FIGURES.size() + 3));
        row("**all**", score.all);
        score.families.forEach(Score::row);
    }

    private static void row(String name, Tally tally) {
        StringBuilder row = new StringBuilder("| " + name + " |");
        FIGURES.forEach(figure -> row.append(' ').append(tally.inside(figure)).append(" |"));
        row.append(' ').append(percent(Tally.mean(tally.peakBias))).append(" |");
        for (List<Double> away : List.of(tally.late, tally.early)) {
            double mean = Tally.mean(away);
            row.append(' ').append(Double.isNaN(mean) ? "-" : String.format(Locale.ROOT, "%.1f", mean)).append(" |");
        }
        System.out.println(row);
    }

    /** Each wrong / no verdict in percent; what the first one wrongly said. */
    private static void perFamily(Map<String, Score> scores) {
        Score first = scores.values().iterator().next();
        System.out.println();
        System.out.println("Wrong / no verdict, in percent of each family:");
        System.out.println();
        System.out.println(
                "| family | series | " + String.join(" | ", scores.keySet()) + " | wrongly said, T90 inside % |");
        System.out.println("|---|--:|" + "--:|".repeat(scores.size()) + "---|");
        first.families.forEach((family, tally) -> {
            StringBuilder row = new StringBuilder("| " + family + " | " + tally.series + " |");
            for (Score score : scores.values()) {
                Tally of = score.families.get(family);
                row.append(String.format(
                        Locale.ROOT,
                        " %.0f / %.0f |",
                        100 * share(of.wrong, of.series),
                        100 * share(of.undecided, of.series)));
            }
            List<String> notes = new ArrayList<>();
            tally.wrongWords.forEach((word, count) -> notes.add(count + " " + word));
            if (tally.asked > 0) {
                notes.add(percent(tally.coverage()));
            }
            System.out.println(row + " " + String.join(", ", notes) + " |");
        });
    }
}
