import dev.kiln.explain.Forecaster.Forecast;
import dev.kiln.explain.RunFigures;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.cause.Causes;
import dev.kiln.model.Metric;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Verdict;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.series.TimeToPeak;
import dev.kiln.study.Experiments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Holds what Kiln says of the runs of bench/corpus against what two readers saw, and prints Markdown: LABELS.tsv FOLDER. With
 * {@code --answers RUN...} it prints what Kiln says of each run, a line for each, to tell whether two folders say the same.
 */
final class Corpus {
    /** Seconds by which two intervals may lie apart and meet. */
    private static final double BIN = 1;

    /** What a reader, or Kiln, says of a run: a word, and from when to when it may have come to nine tenths of its peak. */
    private record Reading(String word, double from, double to) {
        private static final Reading NONE = new Reading("unclear", Double.NaN, Double.NaN);

        static Reading of(String word, String from, String to) {
            return word.isEmpty() ? NONE : new Reading(word, seconds(from), seconds(to));
        }

        /** {@code >240} is a time after the load. */
        private static double seconds(String text) {
            return text.startsWith(">") ? Double.POSITIVE_INFINITY : text.isEmpty() ? Double.NaN : Double.parseDouble(text);
        }

        static Reading of(RunResult run) {
            String word =
                    switch (run.explanation().verdict()) {
                        case Verdict.Peaked peaked -> "peaked";
                        case Verdict.AtPeak at -> "peaked";
                        case Verdict.StillClimbing climbing -> "climbing";
                        case Verdict.FalsePlateau plateau -> "below";
                        case Verdict.BelowPeak below -> "below";
                        case Verdict.Slowing slowing -> "slowing";
                        case Verdict.Cycling cycling -> "cycling";
                        case Verdict.StoppedServing stopped -> "stopped";
                        case Verdict.CannotTell cannot -> "unclear";
                        case Verdict.Invalid invalid -> "unclear";
                        case Verdict.Served served -> "unclear";
                    };
            Optional<TimeToPeak> time = run.series().time(TimeToPeak.HEADLINE);
            return new Reading(
                    word,
                    time.map(t -> t.lo().orElse(Double.POSITIVE_INFINITY)).orElse(Double.NaN),
                    time.map(t -> t.hi().orElse(Double.POSITIVE_INFINITY)).orElse(Double.NaN));
        }

        boolean clear() {
            return !word.equals("unclear");
        }

        boolean timed() {
            return !Double.isNaN(from);
        }

        boolean meets(Reading other) {
            return from - BIN <= other.to && other.from <= to + BIN;
        }

        String time() {
            return timed() ? second(from) + " to " + second(to) : "-";
        }

        private static String second(double seconds) {
            return Double.isInfinite(seconds) ? "never" : String.format(Locale.ROOT, "%.0f", seconds);
        }
    }

    private record Labelled(String run, String service, Reading first, Reading second, Reading kiln) {}

    /** How one side's readings are those of another's; words of runs that neither calls unclear, times of runs that both timed. */
    private record Agreement(int runs, int asked, int same, int unclear, int timed, int met) {
        static Agreement of(List<Labelled> all, Function<Labelled, Reading> one, Function<Labelled, Reading> other) {
            int asked = 0;
            int same = 0;
            int unclear = 0;
            int timed = 0;
            int met = 0;
            for (Labelled run : all) {
                Reading a = one.apply(run);
                Reading b = other.apply(run);
                asked += a.clear() && b.clear() ? 1 : 0;
                unclear += a.clear() && b.clear() ? 0 : 1;
                same += a.clear() && a.word().equals(b.word()) ? 1 : 0;
                timed += a.timed() && b.timed() ? 1 : 0;
                met += a.timed() && b.timed() && a.meets(b) ? 1 : 0;
            }
            return new Agreement(all.size(), asked, same, unclear, timed, met);
        }

        String row(String name) {
            return String.format(
                    Locale.ROOT, "| %s | %d | %d of %d | %d | %d of %d |", name, runs, same, asked, unclear, met, timed);
        }
    }

    private static List<Labelled> read(Path labels, Path corpus) throws IOException {
        List<Labelled> all = new ArrayList<>();
        for (String line : Files.readAllLines(labels)) {
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String[] cells = line.split("\t", -1);
            if (cells.length != 10) {
                throw new IOException(labels + ": " + cells.length + " columns where 10 were expected: " + line);
            }
            RunResult run = runs(corpus.resolve(cells[0])).getFirst();
            all.add(new Labelled(
                    cells[0],
                    cells[1],
                    Reading.of(cells[4], cells[5], cells[6]),
                    Reading.of(cells[7], cells[8], cells[9]),
                    Reading.of(run)));
        }
        return all;
    }

    private static List<RunResult> runs(Path experiment) {
        return Experiments.assess(experiment, AnalysisConfig.defaults(), System.err::println).variants().stream()
                .flatMap(variant -> variant.runs().stream())
                .toList();
    }

    private static List<String> unlabelled(Path corpus, Set<String> known) throws IOException {
        try (Stream<Path> folders = Files.walk(corpus, 2)) {
            return folders.map(folder -> corpus.relativize(folder).toString())
                    .filter(name -> name.contains("/") && !known.contains(name))
                    .sorted()
                    .toList();
        }
    }

    private static void print(List<Labelled> all) {
        IO.println("| run | reader 1 | reader 2 | Kiln | T90 by reader 1, s | by reader 2 | by Kiln |");
        IO.println("|---|---|---|---|---|---|---|");
        for (Labelled run : all) {
            IO.println(String.join(
                    " | ",
                    "| " + run.run(),
                    run.first().word(),
                    run.second().word(),
                    run.kiln().word(),
                    run.first().time(),
                    run.second().time(),
                    run.kiln().time() + " |"));
        }
        IO.println("\n| | runs | same word | unclear to one | times meet |\n|---|--:|--:|--:|--:|");
        IO.println(Agreement.of(all, Labelled::first, Labelled::second).row("reader 2 and reader 1"));
        IO.println(Agreement.of(all, Labelled::first, Labelled::kiln).row("Kiln and reader 1"));
        IO.println(Agreement.of(all, Labelled::second, Labelled::kiln).row("Kiln and reader 2"));
        Set<String> services = all.stream().map(Labelled::service).collect(Collectors.toCollection(TreeSet::new));
        IO.println("\nKiln and reader 1, one service left out:\n\n| without | runs | same word | unclear to one | times meet |\n|---|--:|--:|--:|--:|");
        for (String service : services) {
            List<Labelled> others =
                    all.stream().filter(run -> !run.service().equals(service)).toList();
            IO.println(Agreement.of(others, Labelled::first, Labelled::kiln).row(service));
        }
    }

    /** One line of what a thinned run must say as the whole one does. */
    private static String answer(RunResult run) {
        return String.join(
                "; ",
                run.explanation().verdict().text(),
                "T90 " + Reading.of(run).time(),
                state(run, "c2-starved"),
                "starved earlier "
                        + Causes.starvedEarlier(run.explanation().findings())
                                .map(moment -> moment.fromSecond() + " to " + moment.toSecond() + " s")
                                .orElse("never"),
                state(run, "cgroup-throttling"),
                "C2 cleared " + RunFigures.of(Metric.C2_CLEARED, run).orElse(Double.NaN) + " s",
                "forecast " + Forecast.last(run.explanation().forecasts()).orElse("none"));
    }

    private static String state(RunResult run, String cause) {
        return cause + " "
                + run.explanation().findings().stream()
                        .filter(finding -> finding.id().equals(cause))
                        .map(Finding::state)
                        .map(Finding.FindingState::text)
                        .findFirst()
                        .orElse("not looked for");
    }

    public static void main(String[] arguments) throws IOException {
        if (arguments[0].equals("--answers")) {
            Arrays.stream(arguments)
                    .skip(1)
                    .flatMap(folder -> runs(Path.of(folder)).stream())
                    .forEach(run -> IO.println(answer(run)));
            return;
        }
        List<Labelled> all = read(Path.of(arguments[0]), Path.of(arguments[1]));
        print(all);
        Set<String> known = all.stream().map(Labelled::run).collect(Collectors.toSet());
        unlabelled(Path.of(arguments[1]), known).forEach(run -> System.err.println("left out, it has no label: " + run));
    }
}
