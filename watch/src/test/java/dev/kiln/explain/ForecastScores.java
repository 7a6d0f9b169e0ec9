package dev.kiln.explain;

import dev.kiln.evidence.ExperimentReader;
import dev.kiln.evidence.RunReader;
import dev.kiln.explain.Forecaster.Forecast;
import dev.kiln.explain.window.ThreadTimes;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.stats.Student.Prediction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Forecasts of recorded runs held against when C2 was done. Each service is forecast from what the others asked of C2, beside
 * "twice the time so far"; bench/forecast/run.sh prints the tables.
 */
final class ForecastScores {
    private static final int[] AT = {10, 20, 30, 60, 120, 240, 480};

    /** C2 is done if it is quiet for so many seconds before the load ends: Keycloak's was quiet for 25 s, and went on. */
    private static final int QUIET_SECONDS = 30;

    /** A run in which C2 is not done counts if its load was at least this long. */
    static final int LONG_SECONDS = 240;

    private ForecastScores() {}

    /**
     * The first load of a recorded run.
     *
     * @param done seconds since the first request; empty where C2 is not done within the load
     */
    record Run(String service, String name, List<Forecaster.Second> seconds, OptionalInt done) {
        Run(String service, String name, List<Forecaster.Second> seconds) {
            this(service, name, seconds, Forecaster.cleared(seconds, QUIET_SECONDS));
        }

        boolean counts() {
            return done().isPresent() || seconds.size() >= LONG_SECONDS;
        }

        /** CPU seconds that C2 used until it was done; where it was not, it needs more than these. */
        private double needed() {
            return used(done().orElse(seconds.size()));
        }

        private double used(int until) {
            return seconds.stream()
                    .limit(until)
                    .mapToDouble(Forecaster.Second::c2Cpu)
                    .sum();
        }
    }

    /** How one rule did at one moment; the run is the unit. */
    record Score(String rule, int at, List<Told> told) {
        int runs() {
            return told.size();
        }

        /** Runs whose C2 was not done within their load, counted as held where the interval reaches beyond it. */
        int censored() {
            return count(one -> one.run().done().isEmpty());
        }

        /** Runs whose interval held the moment. */
        int held() {
            return count(Told::holds);
        }

        /** Runs in which C2 was not done before the lower bound. */
        int boundHeld() {
            return count(Told::boundHolds);
        }

        /** Runs whose bound is of use, so that Kiln prints it. */
        int useful() {
            return count(one -> one.forecast().tells());
        }

        int usefulHeld() {
            return count(one -> one.forecast().tells() && one.boundHolds());
        }

        /** The median of high over low. */
        double width() {
            return median(told.stream()
                    .mapToDouble(one -> one.forecast().high() / one.forecast().low())
                    .toArray());
        }

        /** The median factor between the middle and the moment, of runs that are not censored. */
        double off() {
            return median(told.stream()
                    .filter(one -> one.run().done().isPresent())
                    .mapToDouble(one -> Math.exp(Math.abs(
                            Math.log(one.forecast().middle() / one.run().done().getAsInt()))))
                    .toArray());
        }

        private int count(Predicate<Told> which) {
            return (int) told.stream().filter(which).count();
        }
    }

    /** A forecast of a run whose C2 had work. */
    record Told(Run run, Forecast forecast) {
        boolean boundHolds() {
            return forecast.low() <= run.done().orElse(Integer.MAX_VALUE);
        }

        boolean holds() {
            return boundHolds()
                    && forecast.high() >= run.done().orElse(run.seconds().size());
        }
    }

    /** By moment and rule. Runs that do not count are left out, and services for which fewer than two others tell. */
    static List<Score> of(List<Run> all) {
        List<Run> runs = all.stream().filter(Run::counts).toList();
        SortedMap<String, Double> needs = needs(runs);
        List<Score> scores = new ArrayList<>();
        for (int at : AT) {
            List<Told> model = new ArrayList<>();
            for (Run run : runs) {
                double[] others = without(run.service(), needs);
                if (others.length >= 2 && at < run.done().orElse(run.seconds().size())) {
                    Forecaster.of(run.seconds().subList(0, at), Prediction.of(others)).stream()
                            .filter(forecast -> forecast.atSecond() == at)
                            .forEach(forecast -> model.add(new Told(run, forecast)));
                }
            }
            if (!model.isEmpty()) {
                scores.add(new Score("C2's demand over its share", at, model));
                scores.add(new Score(
                        "twice the time so far",
                        at,
                        model.stream()
                                .map(told -> new Told(told.run(), twice(at)))
                                .toList()));
            }
        }
        return scores;
    }

    /** Gott's rule: what has lasted so long will last as long again; 90 % interval from a share of 5 to 95 % gone. */
    private static Forecast twice(double at) {
        return new Forecast(at, 0, at / 0.95, 2 * at, at / 0.05);
    }

    private static double[] without(String service, SortedMap<String, Double> needs) {
        return needs.entrySet().stream()
                .filter(need -> !need.getKey().equals(service))
                .mapToDouble(Map.Entry::getValue)
                .toArray();
    }

    /** One figure a service: runs of one service are no evidence of how services differ. */
    static SortedMap<String, Double> needs(List<Run> runs) {
        Map<String, Double> logs = runs.stream()
                .filter(run -> run.needed() > 0)
                .collect(
                        Collectors.groupingBy(Run::service, Collectors.averagingDouble(run -> Math.log(run.needed()))));
        SortedMap<String, Double> needs = new TreeMap<>();
        logs.forEach((service, log) -> needs.put(service, Math.exp(log)));
        return needs;
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        int n = values.length;
        return n == 0 ? Double.NaN : (values[(n - 1) / 2] + values[n / 2]) / 2;
    }

    static String table(List<Score> scores) {
        StringBuilder text = new StringBuilder("| at s | rule | runs | censored | interval holds | bound holds |"
                + " bound of use | and holds | high/low | off by |\n|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|\n");
        scores.forEach(s -> text.append(String.format(
                Locale.ROOT,
                "| %d | %s | %d | %d | %.0f %% | %.0f %% | %d | %d | %.1f | %s |\n",
                s.at(),
                s.rule(),
                s.runs(),
                s.censored(),
                100.0 * s.held() / s.runs(),
                100.0 * s.boundHeld() / s.runs(),
                s.useful(),
                s.usefulHeld(),
                s.width(),
                Double.isNaN(s.off()) ? "-" : String.format(Locale.ROOT, "%.2f", s.off()))));
        return text.toString();
    }

    /** What each service asked of C2, and its forecasts by the others: {@code 20 s: 46 to 283}; a star marks one that fails. */
    static String services(List<Run> all, List<Score> scores) {
        StringBuilder text = new StringBuilder("| run | C2's CPU, s | C2 done, s | forecasts |\n|---|--:|--:|---|\n");
        for (Run run : all.stream().filter(Run::counts).toList()) {
            String forecasts = scores.stream()
                    .flatMap(score -> score.told().stream())
                    .filter(told -> told.run().equals(run) && told.forecast().c2Share() > 0)
                    .map(told -> String.format(
                            Locale.ROOT,
                            "%.0f s: %.0f to %.0f%s",
                            told.forecast().atSecond(),
                            told.forecast().low(),
                            told.forecast().high(),
                            told.holds() ? "" : " *"))
                    .collect(Collectors.joining("; "));
            boolean done = run.done().isPresent();
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %s%.1f | %s%d | %s |\n",
                    run.name(),
                    done ? "" : "> ",
                    run.needed(),
                    done ? "" : "> ",
                    run.done().orElse(run.seconds().size()),
                    forecasts));
        }
        return text.toString();
    }

    /** What was left for C2 against what its queue would cost: how much of the rest a forecast could see. */
    static String left(List<Run> all) {
        StringBuilder text =
                new StringBuilder("| at s | runs | left over what waits: least, median, most |\n|--:|--:|--:|\n");
        for (int at : AT) {
            double[] ratios = all.stream()
                    .filter(run -> at < run.done().orElse(0)
                            && run.seconds().get(at - 1).queued() > 0)
                    .mapToDouble(run -> (run.needed() - run.used(at))
                            / run.seconds().get(at - 1).queued())
                    .sorted()
                    .toArray();
            if (ratios.length > 1) {
                text.append(String.format(
                        Locale.ROOT,
                        "| %d | %d | %.1f, %.1f, %.1f |\n",
                        at,
                        ratios.length,
                        ratios[0],
                        median(ratios),
                        ratios[ratios.length - 1]));
            }
        }
        return text.toString();
    }

    /** @param all the folder in which the run's folder is */
    static Run read(String service, Path all, Path directory) {
        RunEvidence evidence = RunReader.read(directory);
        PhaseTime load = evidence.info().phases().stream()
                .filter(PhaseTime::load)
                .findFirst()
                .orElseThrow();
        List<Curves.JitPoint> points =
                Curves.jitPoints(evidence, new ThreadTimes(evidence.threads(), true), load.startNanos());
        double end = (load.endNanos().orElse(Long.MAX_VALUE) - load.startNanos()) / 1e9;
        String name = service + "/" + all.relativize(directory);
        return new Run(service, name, Forecaster.seconds(evidence, points, load.startNanos(), end));
    }

    /** {@code SERVICE=FOLDER...}: an experiment, or one of its variants. */
    public static void main(String[] arguments) {
        List<Run> runs = new ArrayList<>();
        for (String argument : arguments) {
            String[] parts = argument.split("=", 2);
            if (parts.length < 2) {
                System.err.println("found " + argument + ", expected SERVICE=FOLDER");
                System.exit(2);
            }
            Path all = Path.of(parts[1]);
            ExperimentReader.find(all).directories().forEach(run -> runs.add(read(parts[0], all, run)));
        }
        runs.stream()
                .filter(run -> !run.counts())
                .forEach(run -> System.err.println("left out: " + run.name() + ": C2 is not done within "
                        + run.seconds().size() + " s, and " + LONG_SECONDS + " s are needed"));
        List<Score> scores = of(runs);
        System.out.println(table(scores));
        System.out.println(services(runs, scores));
        System.out.print(left(runs));
    }
}
