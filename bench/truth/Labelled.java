import dev.kiln.explain.study.Assessment;
import dev.kiln.importer.SeriesImport;
import dev.kiln.importer.format.Format.ImportedRun;
import dev.kiln.importer.program.JmhLog;
import dev.kiln.report.json.SeriesJson;
import dev.kiln.stats.AnalysisConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * Labelled holds Kiln against the labels of a public data set. DIR OUT SEED; DIR has the checkouts {@code
 * icpe-data-challenge-jmh} and {@code steady-state}. It prints tables as Markdown. Into OUT it writes what is known of each fork,
 * a hundred disagreements that the seed draws, and a plot of each.
 *
 * <p>Kiln gets each benchmark as the log that JMH would have printed of it, read by its importer, and analysed as {@code kiln
 * import} does. The warm-up is what their rule leaves to it: 2,500 of 3,000 iterations.
 */
final class Labelled {
    private static final int DRAWN = 100;

    /** Seconds by which a start lies outside of the interval of T99 in a disagreement. */
    private static final double FAR = 5;

    private static final int A_SHEET = 6;

    /**
     * A Point is where something says that the warm-up was over.
     *
     * @param level whether what follows is at the level of the end
     */
    record Point(int iteration, double seconds, boolean level) {
        static Point of(LabelledFork fork, int iteration) {
            return new Point(iteration, fork.seconds(iteration), fork.level(iteration));
        }
    }

    /**
     * A Judged is what was said of a fork.
     *
     * @param points the start by its label ("label"), Kiln's times with the ends of that to 99 %, and where rivals stopped; what
     *     was not reached is left out
     */
    record Judged(
            String benchmark,
            int fork,
            String ofBenchmark,
            boolean steady,
            String kind,
            String verdict,
            boolean peak,
            double endOverPeak,
            Map<String, Point> points) {
        boolean peaked() {
            return verdict.equals("peaked");
        }

        /** Tells whether Kiln concluded at all. */
        boolean concluded() {
            return !List.of("cannot tell", "not enough data", "invalid").contains(verdict);
        }

        /** A level that was held before a slower one is no contradiction: both say that it slowed down. */
        boolean contradicts() {
            return steady ? concluded() && !peaked() && !kind.equals("slowdown") : peaked();
        }

        /** Returns how far the start by the label lies outside of the interval of T99; 0 within it, and where one has none. */
        double away() {
            Point start = points.get("label");
            if (start == null || !peaked() || !points.containsKey("T99")) {
                return 0;
            }
            double lo = points.get("T99 lo").seconds();
            double hi = points.containsKey("T99 hi") ? points.get("T99 hi").seconds() : Double.MAX_VALUE;
            return Math.max(0, Math.max(lo - start.seconds(), start.seconds() - hi));
        }
    }

    private static List<Judged> judged(Path folder, String benchmark, Path log) throws IOException {
        List<LabelledFork> forks = LabelledFork.of(folder, benchmark);
        forks.removeIf(fork -> fork.times().length <= LabelledFork.MEASURED);
        if (forks.isEmpty()) {
            return List.of();
        }
        Files.writeString(log, LabelledFork.log(forks));
        List<ImportedRun> runs = JmhLog.runs(log, why -> System.err.println(why));
        List<Judged> judged = new ArrayList<>();
        for (int i = 0; i < forks.size(); i++) {
            Assessment assessment = new Assessment(AnalysisConfig.defaults());
            assessment.add(SeriesImport.evidence(
                    runs.get(i).loads().getFirst(), benchmark, OptionalDouble.empty(), "bench"));
            String json = SeriesJson.render(List.of(assessment.result(benchmark)));
            judged.add(judged(forks.get(i), new ObjectMapper().readTree(json).path("series").path(0)));
        }
        return judged;
    }

    private static Judged judged(LabelledFork fork, JsonNode said) {
        Map<String, Point> points = new LinkedHashMap<>();
        if (fork.steady()) {
            points.put("label", Point.of(fork, fork.start()));
        }
        double seconds = said.path("seconds").asDouble();
        for (String percent : List.of("90", "95", "99")) {
            JsonNode time = said.path("timeToPeak").path(percent);
            Map<String, JsonNode> all = new LinkedHashMap<>(Map.of("T" + percent, time.path("seconds")));
            if (percent.equals("99")) {
                all.put("T99 lo", time.path("lo"));
                all.put("T99 hi", time.path("hi"));
            }
            all.forEach((name, at) -> {
                if (at.isNumber()) {
                    int iteration = (int) Math.round(at.asDouble() / seconds * LabelledFork.MEASURED);
                    points.put(name, Point.of(fork, iteration));
                }
            });
        }
        fork.stops().forEach((rival, stop) -> points.put(rival, Point.of(fork, stop)));
        return new Judged(
                fork.benchmark(),
                fork.fork(),
                fork.ofBenchmark(),
                fork.steady(),
                fork.kind(),
                said.path("verdict").asString(),
                said.path("referencePeak").has("value"),
                said.path("endOverPeak").path("ratio").asDouble(Double.NaN),
                points);
    }

    /** Draws half of them of contradicting verdicts, and the others of starts that lie far outside. */
    private static List<Judged> drawn(List<Judged> all, long seed) {
        List<Judged> drawn = new ArrayList<>();
        Random random = new Random(seed);
        Predicate<Judged> verdict = Judged::contradicts;
        for (Predicate<Judged> which :
                List.of(verdict, verdict.negate().and(one -> one.steady() && one.away() > FAR))) {
            List<Judged> some = new ArrayList<>(all.stream().filter(which).toList());
            Collections.shuffle(some, random);
            drawn.addAll(some.subList(0, Math.min(DRAWN / 2, some.size())));
        }
        return drawn;
    }

    static String csv(List<Judged> all) {
        List<String> points = new ArrayList<>(List.of("label", "T90", "T95", "T99", "T99 lo", "T99 hi"));
        points.addAll(LabelledFork.rivals());
        StringBuilder csv = new StringBuilder("benchmark;fork;label of benchmark;label;verdict;end over peak");
        points.forEach(name -> csv.append(';').append(name).append(" s"));
        csv.append('\n');
        for (Judged one : all) {
            csv.append(String.format(
                    Locale.ROOT,
                    "%s;%d;%s;%s;%s;%.3f",
                    one.benchmark(),
                    one.fork(),
                    one.ofBenchmark(),
                    one.kind(),
                    one.verdict(),
                    one.endOverPeak()));
            for (String name : points) {
                Point point = one.points().get(name);
                csv.append(point == null ? ";" : String.format(Locale.ROOT, ";%.1f", point.seconds()));
            }
            csv.append('\n');
        }
        return csv.toString();
    }

    private static void plots(Path folder, Path out, List<Judged> drawn) throws IOException {
        Path plots = Files.createDirectories(out.resolve("plots"));
        for (int i = 0; i < drawn.size(); i++) {
            Judged one = drawn.get(i);
            LabelledFork fork = LabelledFork.of(folder, one.benchmark()).get(one.fork());
            Files.writeString(
                    plots.resolve("%03d.svg".formatted(i + 1)), LabelledPlot.svg((i + 1) + "  ", fork, one));
        }
        for (int i = 0; i < drawn.size(); i += A_SHEET) {
            StringBuilder page = new StringBuilder("<body style='margin:0;width:1500px'>");
            for (int k = i; k < Math.min(drawn.size(), i + A_SHEET); k++) {
                page.append("<img src='%03d.svg' width=745>".formatted(k + 1));
            }
            Files.writeString(plots.resolve("sheet-%02d.html".formatted(i / A_SHEET + 1)), page.toString());
        }
    }

    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        Path out = Files.createDirectories(Path.of(args[1]));
        Path log = out.resolve("jmh.log");
        List<Judged> all = new ArrayList<>();
        for (String benchmark : LabelledFork.benchmarks(folder)) {
            all.addAll(judged(folder, benchmark, log));
        }
        Files.deleteIfExists(log);
        LabelledTables.print(all, FAR);
        List<Judged> drawn = drawn(all, Long.parseLong(args[2]));
        Files.writeString(out.resolve("forks.csv"), csv(all));
        Files.writeString(out.resolve("disagreements.csv"), csv(drawn));
        plots(folder, out, drawn);
    }
}
