package dev.kiln.explain;

import dev.kiln.evidence.ExperimentReader;
import dev.kiln.evidence.RunReader;
import dev.kiln.explain.Forecaster.Forecast;
import dev.kiln.explain.window.ThreadTimes;
import dev.kiln.explain.window.Thresholds;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.stats.Student.Prediction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Forecasts of recorded runs held against when C2 was done. Each service is forecast from what the others asked of C2, beside
 * "twice the time so far"; bench/forecast/run.sh prints the table.
 */
final class ForecastScores {
    private static final int[] AT = {10, 20, 30, 60, 120, 240, 480};

    /** C2 is done once it asks for less than this share of a CPU over this many seconds, to the end of the load. */
    private static final int QUIET_SECONDS = 10;

    /** A run in which C2 is not done counts if its load was at least this long. */
    static final int LONG_SECONDS = 600;

    private ForecastScores() {}

    /** The first load of a recorded run. */
    record Run(String service, String name, List<Forecaster.Second> seconds) {
        /** Seconds since the first request; empty where C2 is not done within the load. */
        OptionalDouble done() {
            double sum = 0;
            for (int i = seconds.size() - 1; i >= 0; i--) {
                sum += demand(i) - (i + QUIET_SECONDS < seconds.size() ? demand(i + QUIET_SECONDS) : 0);
                if (i + QUIET_SECONDS <= seconds.size() && sum >= Thresholds.QUIET_DEMAND * QUIET_SECONDS) {
                    int end = i + QUIET_SECONDS;
                    return end == seconds.size() ? OptionalDouble.empty() : OptionalDouble.of(end);
                }
            }
            return OptionalDouble.of(0);
        }

        private double demand(int second) {
            return seconds.get(second).c2Cpu() + seconds.get(second).c2Wait();
        }

        boolean counts() {
            return done().isPresent() || seconds.size() >= LONG_SECONDS;
        }

        /** CPU seconds that C2 needed, of a run in which it is done. */
        private double needed() {
            return seconds.stream()
                    .limit(Math.round(done().orElseThrow()))
                    .mapToDouble(Forecaster.Second::c2Cpu)
                    .sum();
        }
    }

    /**
     * How one rule did at one moment; the run is the unit.
     *
     * @param censored runs whose C2 was not done within their load, counted as held where the interval reaches beyond it
     * @param held runs whose interval held the moment
     * @param boundHeld runs in which C2 was not done before the lower bound
     * @param width median of high over low
     * @param off median factor between the middle and the moment, of runs that are not censored
     */
    record Score(String rule, int at, int runs, int censored, int held, int boundHeld, double width, double off) {}

    private record Told(Run run, Forecast forecast) {
        boolean boundHolds() {
            return run.done().isEmpty() || forecast.low() <= run.done().getAsDouble();
        }

        boolean holds() {
            return boundHolds()
                    && forecast.high() >= run.done().orElse(run.seconds().size());
        }
    }

    /** By moment and rule. Runs that do not count are left out, and services for which fewer than two others tell. */
    static List<Score> of(List<Run> all) {
        List<Run> runs = all.stream().filter(Run::counts).toList();
        List<Score> scores = new ArrayList<>();
        for (int at : AT) {
            List<Told> model = new ArrayList<>();
            for (Run run : runs) {
                double[] others = needs(runs, run.service());
                if (others.length >= 2 && at < run.done().orElse(run.seconds().size())) {
                    Forecaster.of(run.seconds().subList(0, at), Prediction.of(others)).stream()
                            .filter(forecast -> forecast.atSecond() == at)
                            .forEach(forecast -> model.add(new Told(run, forecast)));
                }
            }
            if (!model.isEmpty()) {
                scores.add(score("C2's demand over its share", at, model));
                scores.add(score(
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

    /** One figure a service: runs of one service are no evidence of how services differ. */
    private static double[] needs(List<Run> runs, String without) {
        Map<String, Double> logs = runs.stream()
                .filter(run -> !run.service().equals(without) && run.done().isPresent() && run.needed() > 0)
                .collect(Collectors.groupingBy(
                        Run::service, TreeMap::new, Collectors.averagingDouble(run -> Math.log(run.needed()))));
        return logs.values().stream().mapToDouble(Math::exp).toArray();
    }

    private static Score score(String rule, int at, List<Told> told) {
        return new Score(
                rule,
                at,
                told.size(),
                (int) told.stream().filter(t -> t.run().done().isEmpty()).count(),
                (int) told.stream().filter(Told::holds).count(),
                (int) told.stream().filter(Told::boundHolds).count(),
                median(told.stream()
                        .mapToDouble(t -> t.forecast().high() / t.forecast().low())
                        .toArray()),
                median(told.stream()
                        .filter(t -> t.run().done().isPresent())
                        .mapToDouble(t -> Math.exp(Math.abs(
                                Math.log(t.forecast().middle() / t.run().done().getAsDouble()))))
                        .toArray()));
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        int n = values.length;
        return n == 0 ? Double.NaN : (values[(n - 1) / 2] + values[n / 2]) / 2;
    }

    static String table(List<Score> scores) {
        StringBuilder text =
                new StringBuilder("| at s | rule | runs | censored | interval holds | bound holds | high/low"
                        + " | off by |\n|--:|---|--:|--:|--:|--:|--:|--:|\n");
        scores.forEach(s -> text.append(String.format(
                Locale.ROOT,
                "| %d | %s | %d | %d | %.0f %% | %.0f %% | %.1f | %.2f |%n",
                s.at(),
                s.rule(),
                s.runs(),
                s.censored(),
                100.0 * s.held() / s.runs(),
                100.0 * s.boundHeld() / s.runs(),
                s.width(),
                s.off())));
        return text.toString();
    }

    static Run read(String service, Path directory) {
        RunEvidence evidence = RunReader.read(directory);
        PhaseTime load = evidence.info().phases().stream()
                .filter(PhaseTime::load)
                .findFirst()
                .orElseThrow();
        List<Curves.JitPoint> points =
                Curves.jitPoints(evidence, new ThreadTimes(evidence.threads(), true), load.startNanos());
        double end = (load.endNanos().orElse(Long.MAX_VALUE) - load.startNanos()) / 1e9;
        return new Run(service, directory.toString(), Forecaster.seconds(evidence, points, load.startNanos(), end));
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
            ExperimentReader.find(Path.of(parts[1])).directories().forEach(run -> runs.add(read(parts[0], run)));
        }
        runs.stream()
                .filter(run -> !run.counts())
                .forEach(run -> System.err.println("left out: " + run.name() + ": C2 is not done within "
                        + run.seconds().size() + " s, and " + LONG_SECONDS + " s are needed"));
        System.out.print(table(of(runs)));
    }
}
