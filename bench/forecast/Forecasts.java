import dev.kiln.evidence.ExperimentReader;
import dev.kiln.evidence.RunReader;
import dev.kiln.explain.Assessment;
import dev.kiln.explain.Curves;
import dev.kiln.explain.RunResult;
import dev.kiln.model.Forecast;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.TimeToPeak;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Forecasts made at 10, 20 and 30 s of recorded runs, beside when C2 was done and when 90 % of the reference was reached. */
final class Forecasts {
    private static final List<Double> AT = List.of(10.0, 20.0, 30.0);

    /** C2 is done once it asks for less than this share of a CPU over this many seconds, as in the forecast. */
    private static final double QUIET = 0.3;

    private static final int QUIET_SECONDS = 10;

    public static void main(String[] folders) {
        System.out.println("| run | at s | C2 share % | forecast s | favoured s | C2 done s | T90 s | came within |");
        System.out.println("|---|--:|--:|--:|--:|--:|--:|---|");
        for (String folder : folders) {
            Assessment assessment = new Assessment(AnalysisConfig.defaults());
            for (Path run : ExperimentReader.find(Path.of(folder)).directories()) {
                var evidence = RunReader.read(run);
                evidence.gaps().forEach(gap -> System.err.println(run + ": " + gap));
                assessment.add(evidence);
            }
            assessment.result("bench").variants().stream()
                    .flatMap(variant -> variant.runs().stream())
                    .forEach(Forecasts::print);
        }
    }

    private static void print(RunResult run) {
        double horizon = horizon(run);
        OptionalDouble done = done(run, horizon);
        String t90 = run.timeToReferencePeak().containsKey(90)
                ? time(run.timeToReferencePeak().get(90), horizon)
                : "-";
        for (double at : AT) {
            String name = run.variant() + " " + run.run();
            run.explanation().forecasts().stream()
                    .filter(f -> f.atSecond() == at)
                    .findFirst()
                    .ifPresentOrElse(
                            f -> System.out.printf(
                                    Locale.ROOT,
                                    "| %s | %.0f | %.1f | %s | %s | %s | %s | %s |%n",
                                    name,
                                    at,
                                    100 * f.c2Share(),
                                    interval(f.asItIs()),
                                    interval(f.favoured()),
                                    time(done, horizon),
                                    t90,
                                    within(f.asItIs(), done, horizon)),
                            () -> System.out.printf(
                                    Locale.ROOT,
                                    "| %s | %.0f | | none | | %s | %s | |%n",
                                    name,
                                    at,
                                    time(done, horizon),
                                    t90));
        }
    }

    /** End of the first load. */
    private static double horizon(RunResult run) {
        return run.phases().stream()
                .filter(RunResult.PhaseSummary::load)
                .mapToDouble(RunResult.PhaseSummary::durationSeconds)
                .findFirst()
                .orElse(0);
    }

    /** The first second after which C2 stays quiet to the end of the first load; empty where it never is. */
    private static OptionalDouble done(RunResult run, double horizon) {
        double[] demand = run.curves().jit().stream()
                .filter(p -> p.second() >= 0 && p.second() + 1 <= horizon)
                .mapToDouble((Curves.JitPoint p) -> p.c2Cpu() + p.c2Wait())
                .toArray();
        for (int i = demand.length; i >= QUIET_SECONDS; i--) {
            double sum = 0;
            for (int k = i - QUIET_SECONDS; k < i; k++) {
                sum += demand[k];
            }
            if (sum / QUIET_SECONDS >= QUIET) {
                return i == demand.length ? OptionalDouble.empty() : OptionalDouble.of(i);
            }
        }
        return OptionalDouble.of(0);
    }

    /** A censored end is within an interval that reaches beyond the horizon, and refutes one that does not. */
    private static String within(Forecast.Interval forecast, OptionalDouble done, double horizon) {
        if (done.isEmpty()) {
            return forecast.high() >= horizon ? "not refuted" : "no";
        }
        return forecast.low() <= done.getAsDouble() && done.getAsDouble() <= forecast.high() ? "yes" : "no";
    }

    private static String interval(Forecast.Interval s) {
        return String.format(Locale.ROOT, "%.0f (%.0f to %.0f)", s.middle(), s.low(), s.high());
    }

    private static String time(TimeToPeak time, double horizon) {
        return time(time.seconds(), horizon);
    }

    private static String time(OptionalDouble seconds, double horizon) {
        return seconds.isPresent()
                ? String.format(Locale.ROOT, "%.0f", seconds.getAsDouble())
                : String.format(Locale.ROOT, "> %.0f", horizon);
    }
}
