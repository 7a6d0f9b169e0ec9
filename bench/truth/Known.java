import dev.kiln.evidence.ExperimentReader;
import dev.kiln.evidence.RunReader;
import dev.kiln.explain.UntilKnown;
import dev.kiln.explain.UntilKnown.Compilers;
import dev.kiln.explain.UntilKnown.Second;
import dev.kiln.explain.Verdicts;
import dev.kiln.explain.window.LoadSeries;
import dev.kiln.explain.window.ThreadTimes;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.TruthFamilies;
import dev.kiln.stats.TruthSeries;
import dev.kiln.stats.TruthSeries.Family;
import dev.kiln.stats.TruthSeries.Truth;
import dev.kiln.stats.WiderFamilies;
import dev.kiln.stats.series.SeriesAnalyser;
import dev.kiln.stats.series.SeriesAnalysis;
import dev.kiln.stats.series.SeriesAnalysis.MeasuredLoad;
import dev.kiln.stats.series.TimeToPeak;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * Cuts complete series where "until-known" would have ended the load, and compares what both come to. Prints Markdown.
 * SEED COUNT [held-out|wider], or FILE.csv..., or a folder of recorded runs.
 */
final class Known {
    private static final AnalysisConfig CONFIG = AnalysisConfig.defaults();
    private static final Compilers QUIET = new Compilers(0, true, OptionalInt.of(0));
    private static final Compilers BUSY = new Compilers(1, true, OptionalInt.of(100));
    private static final long SECOND = 1_000_000_000L;

    /** A load, whole and cut, against the same load after the pause. */
    private record Both(SeriesAnalysis whole, SeriesAnalysis cut) {
        static Both of(double[] first, MeasuredLoad after, int end) {
            return new Both(
                    SeriesAnalyser.analyse(first, after, Optional.empty(), CONFIG),
                    SeriesAnalyser.analyse(Arrays.copyOf(first, end), after, Optional.empty(), CONFIG));
        }

        boolean differs() {
            return !word(whole).equals(word(cut));
        }

        /** By more than a bin, of those that both have; a time that one has alone differs. */
        boolean timeDiffers() {
            Optional<TimeToPeak> one = whole.time(TimeToPeak.HEADLINE);
            Optional<TimeToPeak> other = cut.time(TimeToPeak.HEADLINE);
            if (one.isEmpty() || other.isEmpty()) {
                return one.isPresent() != other.isPresent();
            }
            return Math.abs(one.get().seconds().orElse(1e9) - other.get().seconds().orElse(1e9)) > 1;
        }
    }

    /** What some series came to. */
    private static final class Tally {
        private int series;
        private int early;
        private double seconds;
        private double kept;
        private int differ;
        private int timesDiffer;
        private final int[] wrong = new int[2];
        private final int[] undecided = new int[2];
        private final int[] inside = new int[2];
        private int asked;

        void add(Truth truth, Both both, int end) {
            series++;
            early += end < truth.warmup().length ? 1 : 0;
            seconds += truth.warmup().length;
            kept += end;
            differ += both.differs() ? 1 : 0;
            timesDiffer += both.timeDiffers() ? 1 : 0;
            boolean timed = truth.known().times().containsKey(TimeToPeak.HEADLINE);
            asked += timed ? 1 : 0;
            List<SeriesAnalysis> two = List.of(both.whole(), both.cut());
            for (int i = 0; i < 2; i++) {
                String word = word(two.get(i));
                boolean right = truth.verdicts().contains(word);
                undecided[i] += !right && word.equals("cannot tell") ? 1 : 0;
                wrong[i] += !right && !word.equals("cannot tell") ? 1 : 0;
                inside[i] += timed && isInside(two.get(i), truth) ? 1 : 0;
            }
        }

        String row(String name) {
            return String.format(
                    Locale.ROOT,
                    "| %s | %d | %.0f %% | %.0f %% | %s | %s | %s | %.1f %% | %.1f %% |",
                    name,
                    series,
                    100.0 * early / series,
                    100 * (1 - kept / seconds),
                    shares(wrong, series),
                    shares(undecided, series),
                    shares(inside, asked),
                    100.0 * differ / series,
                    100.0 * timesDiffer / series);
        }

        private static String shares(int[] of, int all) {
            return all == 0 ? "-" : String.format(Locale.ROOT, "%.1f, %.1f %%", 100.0 * of[0] / all, 100.0 * of[1] / all);
        }
    }

    private static String word(SeriesAnalysis series) {
        return Verdicts.of(List.of(), series, CONFIG).text();
    }

    private static boolean isInside(SeriesAnalysis series, Truth truth) {
        Optional<TimeToPeak> time = series.time(TimeToPeak.HEADLINE);
        double known = truth.t90().orElse(Double.POSITIVE_INFINITY);
        return time.isPresent()
                && time.get().lo().orElse(series.seconds()) - 1 <= known
                && known <= time.get().hi().orElse(Double.POSITIVE_INFINITY) + 1;
    }

    /** The second at which the load ends. */
    private static int end(List<Second> seconds) {
        UntilKnown rule = new UntilKnown(30, seconds.size(), 1);
        for (int n = 30; n < seconds.size(); n++) {
            if (rule.after(seconds.subList(0, n), CONFIG).known()) {
                return n;
            }
        }
        return seconds.size();
    }

    /** Where C2 has work from the first second until this one. */
    private static List<Second> watched(double[] served, double until) {
        List<Second> seconds = new ArrayList<>();
        for (int i = 0; i < served.length; i++) {
            seconds.add(new Second(served[i], Optional.of(i < until ? BUSY : QUIET)));
        }
        return seconds;
    }

    /** C2 works until the true curve is at 99 % of its peak; all the time where that is not within the load. */
    private static double worksUntil(Truth truth) {
        OptionalDouble whole = truth.known().times().get(99);
        return whole == null ? 0 : whole.orElse(Double.POSITIVE_INFINITY);
    }

    private static void simulated(long seed, int count, Map<String, Family> families) {
        Tally quiet = new Tally();
        Tally working = new Tally();
        Map<String, Tally[]> each = new TreeMap<>();
        for (Truth truth : TruthSeries.series(seed, count, families)) {
            if (truth.known().offered().isPresent()) {
                continue; // a rate: the option is refused
            }
            MeasuredLoad after = new MeasuredLoad(truth.measure(), List.of());
            int blind = end(watched(truth.warmup(), 0));
            Both alone = Both.of(truth.warmup(), after, blind);
            quiet.add(truth, alone, blind);
            int end = end(watched(truth.warmup(), worksUntil(truth)));
            Both seen = Both.of(truth.warmup(), after, end);
            working.add(truth, seen, end);
            Tally[] family = each.computeIfAbsent(truth.family(), name -> new Tally[] {new Tally(), new Tally()});
            family[0].add(truth, seen, end);
            family[1].add(truth, alone, blind);
        }
        head("compilers");
        IO.println(working.row("C2 works until the curve is at its peak"));
        IO.println(quiet.row("C2 is quiet throughout: the curve alone"));
        IO.println("\nBy family: whole; cut where C2 works until the curve is at its peak; cut by the curve alone:\n");
        IO.println("| family | series | ended early | load saved | wrong verdict | true T90 inside |");
        IO.println("|---|--:|--:|--:|--:|--:|");
        each.forEach((family, two) -> IO.println(row(family, two[0], two[1])));
    }

    private static String row(String family, Tally seen, Tally alone) {
        return String.format(
                Locale.ROOT,
                "| %s | %d | %.0f, %.0f %% | %.0f, %.0f %% | %d, %d, %d | %s |",
                family,
                seen.series,
                100.0 * seen.early / seen.series,
                100.0 * alone.early / seen.series,
                100 * (1 - seen.kept / seen.seconds),
                100 * (1 - alone.kept / alone.seconds),
                seen.wrong[0],
                seen.wrong[1],
                alone.wrong[1],
                seen.asked == 0
                        ? "-"
                        : String.format(
                                Locale.ROOT,
                                "%.0f, %.0f, %.0f %%",
                                100.0 * seen.inside[0] / seen.asked,
                                100.0 * seen.inside[1] / seen.asked,
                                100.0 * alone.inside[1] / seen.asked));
    }

    private static void head(String first) {
        IO.println("| " + first + " | series | ended early | load saved | wrong verdict: whole, cut | no verdict |"
                + " true T90 inside | another verdict | T90 differs |");
        IO.println("|---|" + "--:|".repeat(8));
    }

    private static void row(String name, double[] first, MeasuredLoad after, int end) {
        Both both = Both.of(first, after, end);
        IO.println(String.format(
                Locale.ROOT,
                "| %s | %d | %s | %s | %s | %s | %s |",
                name,
                first.length,
                end == first.length ? "-" : Integer.toString(end),
                word(both.whole()),
                word(both.cut()),
                time(both.whole()),
                time(both.cut())));
    }

    private static String time(SeriesAnalysis series) {
        return series.time(TimeToPeak.HEADLINE)
                .map(time -> time.words(series.seconds()))
                .orElse("-");
    }

    private static void files(List<Path> files) throws IOException {
        for (Path file : files) {
            List<String[]> rows = Files.readAllLines(file).stream()
                    .map(line -> line.split(","))
                    .toList();
            int at = Arrays.asList(rows.getFirst()).indexOf("requests");
            Map<String, List<Double>> phases = new java.util.LinkedHashMap<>();
            rows.stream().skip(1).forEach(row -> phases.computeIfAbsent(row[0], name -> new ArrayList<>())
                    .add(Double.valueOf(row[at])));
            List<double[]> loads = phases.values().stream()
                    .map(load -> load.stream().mapToDouble(x -> x).toArray())
                    .toList();
            String name = file.getFileName().toString();
            row(name, loads.getFirst(), new MeasuredLoad(loads.getLast(), List.of()), end(watched(loads.getFirst(), 0)));
        }
    }

    private static List<Second> watched(RunEvidence run, LoadSeries load) {
        ThreadTimes threads = ThreadTimes.of(run);
        List<Second> seconds = new ArrayList<>();
        for (int i = 0; i < load.bins(); i++) {
            long from = load.startNanos() + i * SECOND;
            double demand = 0;
            for (ThreadRole role : List.of(ThreadRole.C1, ThreadRole.C2)) {
                long[] used = threads.cpuAndWait(role, from, from + SECOND);
                demand += (used[0] + used[1]) / 1e9;
            }
            OptionalInt queue = run.jit().stream()
                    .filter(sample -> sample.timeNanos() <= from + SECOND && sample.c2Queue().isPresent())
                    .map(JitSample::c2Queue)
                    .reduce((earlier, later) -> later)
                    .orElse(OptionalInt.empty());
            seconds.add(new Second(load.completed()[i], Optional.of(new Compilers(demand, true, queue))));
        }
        return seconds;
    }

    private static void runs(Path folder) {
        for (Path directory : ExperimentReader.find(folder).directories()) {
            RunEvidence run = RunReader.read(directory);
            List<LoadSeries> loads = run.info().phases().stream()
                    .filter(PhaseTime::load)
                    .map(phase -> LoadSeries.of(phase.name(), run.load()))
                    .toList();
            if (loads.size() > 1 && ThreadTimes.of(run).has(ThreadRole.C2) && loads.getFirst().bins() >= 30) {
                List<double[]> after = loads.subList(1, loads.size()).stream()
                        .map(LoadSeries::completed)
                        .toList();
                row(
                        folder.relativize(directory).toString(),
                        loads.getFirst().completed(),
                        MeasuredLoad.atPeak(after, CONFIG),
                        end(watched(run, loads.getFirst())));
            }
        }
    }

    public static void main(String[] args) throws IOException {
        if (args[0].matches("\\d+")) {
            simulated(
                    Long.parseLong(args[0]),
                    Integer.parseInt(args[1]),
                    switch (args.length > 2 ? args[2] : "") {
                        case "held-out" -> HeldOut.ALL;
                        case "wider" -> WiderFamilies.ALL;
                        default -> TruthFamilies.ALL;
                    });
            return;
        }
        IO.println("| series | load s | ended at s | verdict, whole | cut | T90, whole | cut |");
        IO.println("|---|--:|--:|---|---|---|---|");
        List<Path> paths = Arrays.stream(args).map(Path::of).toList();
        for (Path path : paths) {
            if (Files.isDirectory(path)) {
                runs(path);
            } else {
                files(List.of(path));
            }
        }
    }
}
