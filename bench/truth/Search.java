import dev.kiln.evidence.ExperimentReader;
import dev.kiln.evidence.RunReader;
import dev.kiln.explain.PeakSearch;
import dev.kiln.explain.Verdicts;
import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.experiment.FoundReference.C2Left;
import dev.kiln.model.experiment.FoundReference.End;
import dev.kiln.model.run.Course;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.TruthSeries;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.SeriesAnalyser;
import dev.kiln.stats.series.SeriesAnalysis;
import dev.kiln.stats.series.SeriesAnalysis.MeasuredLoad;
import dev.kiln.stats.series.TimeToPeak;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * Searches for the peak of simulated services by the rules of before, by those of today in each run, and by those of today with
 * the peaks of the session's earlier runs. Prints Markdown. SEED SESSIONS, or folders of recorded runs, whose searches are judged
 * anew after each of their rounds.
 */
final class Search {
    private static final AnalysisConfig CONFIG = AnalysisConfig.defaults();
    private static final int RUNS = 5;
    private static final int LOAD = 90;
    private static final int ROUND = 15;

    /** A service: the share of its peak in each second of the first load, the share in each round, what C2 had left in each. */
    private record Kind(String name, Draw draw) {}

    /** Draws a service; all runs of a session have the same. */
    private interface Draw {
        Shares draw(Random random);
    }

    private record Shares(double[] load, IntFunction<Double> round, IntFunction<C2Left> c2) {}

    private static final List<Kind> KINDS = List.of(
            new Kind("flat from the start", random -> steady(TruthSeries.level(LOAD, 1), C2Left.NOTHING)),
            new Kind("flat, no JVM", random -> steady(TruthSeries.level(LOAD, 1), C2Left.NONE)),
            new Kind(
                    "warms up in 10 to 60 s",
                    random -> steady(
                            TruthSeries.exponential(LOAD, 0.1, TruthSeries.uniform(random, 5, 25)), C2Left.NOTHING)),
            new Kind(
                    "ends at 60 to 93 %, C2 done in the pause",
                    random -> {
                        double end = TruthSeries.uniform(random, 0.6, 0.93);
                        return steady(scaled(TruthSeries.exponential(LOAD, 0.2, 10), end), C2Left.NOTHING);
                    }),
            new Kind("C2 starved for one to five rounds", Search::starved),
            new Kind(
                    "rises by 5 to 20 % in the second round, C2 unnoticed",
                    random -> {
                        double first = 1 / (1 + TruthSeries.uniform(random, 0.05, 0.2));
                        return new Shares(
                                scaled(TruthSeries.exponential(LOAD, 0.2, 10), first),
                                round -> round == 1 ? first : 1.0,
                                round -> C2Left.NOTHING);
                    }),
            new Kind(
                    "rises by 5 to 20 % in each of two rounds, C2 unnoticed",
                    random -> {
                        double step = 1 / (1 + TruthSeries.uniform(random, 0.05, 0.2));
                        return new Shares(
                                scaled(TruthSeries.exponential(LOAD, 0.2, 10), step * step),
                                round -> round == 1 ? step : 1.0,
                                round -> C2Left.NOTHING);
                    }));

    private static Shares steady(double[] load, C2Left c2) {
        return new Shares(load, round -> 1.0, round -> c2);
    }

    private static Shares starved(Random random) {
        double end = TruthSeries.uniform(random, 0.3, 0.8);
        int rounds = 1 + random.nextInt(5);
        return new Shares(
                scaled(TruthSeries.exponential(LOAD, 0.2, 10), end),
                round -> Math.min(1, end + (1 - end) * round / (rounds + 1.0)),
                round -> round <= rounds ? C2Left.STARVED : C2Left.NOTHING);
    }

    private static double[] scaled(double[] curve, double by) {
        return Arrays.stream(curve).map(x -> x * by).toArray();
    }

    /** How a search decides. */
    private enum Rule {
        BEFORE("before"),
        EACH("each run searches"),
        SESSION("once a session");

        private final String text;

        Rule(String text) {
            this.text = text;
        }
    }

    /** A run of a service on a machine: its seconds are drawn as they are asked for, the same ones by each rule. */
    private static final class Run {
        private final Shares shares;
        private final double peak;
        private final double cv;
        private final double rho;
        private final Random random;
        private double state;
        private final double[] load;
        private final List<double[]> rounds = new ArrayList<>();

        Run(Shares shares, double peak, double cv, double rho, long seed) {
            this.shares = shares;
            this.peak = peak;
            this.cv = cv;
            this.rho = rho;
            random = new Random(seed);
            state = random.nextGaussian();
            load = seconds(shares.load());
        }

        double[] round(int number) {
            while (rounds.size() < number) {
                rounds.add(seconds(TruthSeries.level(ROUND, shares.round().apply(rounds.size() + 1))));
            }
            return rounds.get(number - 1);
        }

        private double[] seconds(double[] curve) {
            double[] out = new double[curve.length];
            for (int i = 0; i < out.length; i++) {
                state = rho * state + Math.sqrt(1 - rho * rho) * random.nextGaussian();
                out[i] = Math.max(0, Math.rint(peak * curve[i] * Math.exp(cv * state - cv * cv / 2)));
            }
            return out;
        }
    }

    /** Where a search ended, and what comes of it. */
    private record Outcome(int rounds, int atPeak, End end, SeriesAnalysis series) {
        static Outcome of(Run run, Rule rule, List<Double> earlier) {
            Optional<End> end = Optional.empty();
            int n = 0;
            while (end.isEmpty()) {
                n++;
                run.round(n);
                List<double[]> rounds = run.rounds.subList(0, n);
                C2Left c2 = run.shares.c2().apply(n);
                end = rule == Rule.BEFORE
                        ? before(run.load, rounds, c2)
                        : new PeakSearch.Loads(run.load, rounds)
                                .after(c2, 0, earlier, CONFIG)
                                .end();
            }
            List<double[]> rounds = run.rounds.subList(0, n);
            MeasuredLoad peak = MeasuredLoad.atPeak(rounds, CONFIG);
            List<Peak.PeakBound> bounds = end.get().mayRise() ? List.of(Peak.PeakBound.RISING) : List.of();
            return new Outcome(
                    n,
                    peak.loads().size(),
                    end.get(),
                    SeriesAnalyser.analyse(
                            run.load,
                            new MeasuredLoad(peak.afterPause(), peak.loads(), bounds),
                            Optional.empty(),
                            CONFIG));
        }

        /** The rule until November 2026: a first round within 5 % below the end and 3 % above it was the peak. */
        private static Optional<End> before(double[] load, List<double[]> rounds, C2Left c2) {
            double[] levels = Peak.levels(rounds, CONFIG);
            double best =
                    Arrays.stream(load, load.length - 10, load.length).average().orElseThrow();
            boolean fell = levels.length == 1 && levels[0] < best * 0.95;
            for (int i = 0; i < levels.length - 1; i++) {
                best = Math.max(best, levels[i]);
            }
            SeriesAnalysis series =
                    SeriesAnalyser.analyse(load, MeasuredLoad.atPeak(rounds, CONFIG), Optional.empty(), CONFIG);
            boolean climbs =
                    series.measured().stream().anyMatch(peak -> peak.bounds().contains(Peak.PeakBound.CLIMBING));
            boolean rising = climbs || levels[levels.length - 1] > best * 1.03;
            boolean starved = c2 == C2Left.STARVED;
            boolean declines =
                    series.absence().filter(Peak.Absence.DECLINES::equals).isPresent();
            if ((rising || fell || declines || starved) && levels.length < FoundReference.MOST_ROUNDS) {
                return Optional.empty();
            }
            return Optional.of(
                    starved
                            ? End.C2_STARVED
                            : rising ? End.STILL_RISING : declines ? End.DECLINING : End.FOUND);
        }

        Optional<Double> found() {
            boolean shown = end == End.CONFIRMED || (end == End.FOUND && atPeak > 1);
            return !shown
                    ? Optional.empty()
                    : series.measured().filter(peak -> !peak.lowerBound()).map(Peak::value);
        }
    }

    /** What some runs came to by one rule. */
    private static final class Tally {
        private int runs;
        private int rounds;
        private int later;
        private int laterRounds;
        private int confirmed;
        private int wrong;
        private int undecided;
        private int asked;
        private int inside;
        private final List<Double> errors = new ArrayList<>();

        void add(Run run, Outcome outcome, boolean first) {
            runs++;
            rounds += outcome.rounds();
            later += first ? 0 : 1;
            laterRounds += first ? 0 : outcome.rounds();
            confirmed += outcome.end() == End.CONFIRMED ? 1 : 0;
            String word = Verdicts.of(List.of(), outcome.series(), CONFIG).text();
            boolean right = TruthSeries.atEnd(run.shares.load(), 1).contains(word);
            undecided += !right && word.equals("cannot tell") ? 1 : 0;
            wrong += !right && !word.equals("cannot tell") ? 1 : 0;
            outcome.series().reference().own().ifPresent(peak -> errors.add(peak.value() / run.peak - 1));
            outcome.series().time(TimeToPeak.HEADLINE).ifPresent(time -> {
                asked++;
                double known = t90(run.shares.load());
                boolean holds = time.lo().orElse(LOAD) - 1 <= known
                        && known <= time.hi().orElse(Double.POSITIVE_INFINITY) + 1;
                inside += holds ? 1 : 0;
            });
        }

        private static double t90(double[] load) {
            int t = load.length;
            while (t > 0 && load[t - 1] >= 0.9) {
                t--;
            }
            return t == load.length ? Double.POSITIVE_INFINITY : t;
        }

        String row(String kind, Rule rule) {
            double bias = errors.stream().mapToDouble(x -> x).average().orElse(0);
            double sd =
                    Math.sqrt(errors.stream().mapToDouble(x -> x * x).average().orElse(0));
            return String.format(
                    Locale.ROOT,
                    "| %s | %s | %d | %.2f | %.2f | %.0f %% | %.2f %% | %.1f %% | %.1f %% | %+.1f %% | %.1f %% |",
                    kind,
                    rule.text,
                    runs,
                    (double) rounds / runs,
                    later == 0 ? 0 : (double) laterRounds / later,
                    100.0 * confirmed / runs,
                    100.0 * wrong / runs,
                    100.0 * undecided / runs,
                    asked == 0 ? 0 : 100.0 * inside / asked,
                    100 * bias,
                    100 * sd);
        }
    }

    private static void simulated(long seed, int sessions) {
        IO.println("| service | search | runs | rounds | of later runs | confirmed | wrong verdict | no verdict |"
                + " true T90 inside | bias of P | error of P |");
        IO.println("|---|---|" + "--:|".repeat(9));
        Tally[] all = {new Tally(), new Tally(), new Tally()};
        for (Kind kind : KINDS) {
            Tally[] of = {new Tally(), new Tally(), new Tally()};
            Random seeds = new Random(seed);
            for (int session = 0; session < sessions; session++) {
                session(kind, new Random(seeds.nextLong()), of, all);
            }
            for (Rule rule : Rule.values()) {
                IO.println(of[rule.ordinal()].row(kind.name(), rule));
            }
        }
        for (Rule rule : Rule.values()) {
            IO.println(all[rule.ordinal()].row("**all**", rule));
        }
    }

    /** Runs of one service on one machine, whose peaks differ by up to 4 %. */
    private static void session(Kind kind, Random random, Tally[] of, Tally[] all) {
        Shares shares = kind.draw().draw(random);
        double rate = Math.pow(10, TruthSeries.uniform(random, 2.5, 4.3));
        double cv = 0.01 * Math.pow(12, random.nextDouble());
        double rho = TruthSeries.uniform(random, 0, 0.8);
        double between = TruthSeries.uniform(random, 0, 0.04);
        List<List<Double>> earlier = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < RUNS; i++) {
            double peak = rate * Math.exp(between * random.nextGaussian());
            Run run = new Run(shares, peak, cv, rho, random.nextLong());
            for (Rule rule : Rule.values()) {
                List<Double> known = rule == Rule.SESSION ? earlier.get(rule.ordinal()) : List.of();
                Outcome outcome = Outcome.of(run, rule, known);
                of[rule.ordinal()].add(run, outcome, i == 0);
                all[rule.ordinal()].add(run, outcome, i == 0);
                outcome.found().ifPresent(earlier.get(rule.ordinal())::add);
            }
        }
    }

    /** The evidence of a run whose search had only so many rounds. */
    private static RunEvidence cut(RunEvidence run, int rounds) {
        RunInfo info = run.info();
        List<PhaseTime> kept = new ArrayList<>();
        int loads = 0;
        for (PhaseTime phase : info.phases()) {
            loads += FoundReference.round(phase.name()) > 0 ? 1 : 0;
            if (loads <= rounds) {
                kept.add(phase);
            }
        }
        Course course = new Course(
                info.course().readyNanos(),
                info.course().firstResponseNanos(),
                kept,
                info.outcome(),
                info.course().outcomeDetail(),
                Optional.empty(),
                List.of(),
                OptionalLong.empty(),
                List.of(),
                Set.of());
        return new RunEvidence(
                new RunInfo(
                        info.kilnVersion(),
                        info.which(),
                        info.launch(),
                        info.machine(),
                        info.plan(),
                        course,
                        info.limits()),
                run.sent(),
                run.jvm(),
                run.machine(),
                run.gaps());
    }

    private static void recorded(Path folder) {
        for (Path directory : ExperimentReader.find(folder).directories()) {
            RunEvidence run = RunReader.read(directory);
            int rounds = run.info().referenceRounds().size();
            for (int n = 1; n <= rounds; n++) {
                PeakSearch search = PeakSearch.after(cut(run, n), List.of(), CONFIG);
                IO.println(String.format(
                        Locale.ROOT,
                        "| `%s` | %d of %d | %,.0f | %s | %s |",
                        folder.relativize(directory),
                        n,
                        rounds,
                        search.level(),
                        search.why().map(FoundReference.Another::text).orElse("-"),
                        search.end().map(End::text).orElse("another round")));
            }
        }
    }

    public static void main(String[] args) {
        if (args[0].matches("\\d+")) {
            simulated(Long.parseLong(args[0]), Integer.parseInt(args[1]));
            return;
        }
        IO.println("| run | round | req/s | why it does not show the peak | then |");
        IO.println("|---|--:|--:|---|---|");
        Arrays.stream(args).map(Path::of).forEach(Search::recorded);
    }
}
