package dev.kiln.explain;

import dev.kiln.explain.window.CpuUse;
import dev.kiln.explain.window.Thresholds;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.JitState;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.stats.Student.Prediction;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * A Forecaster estimates when C2 will be done, second by second during the load: what C2 still has to do, in CPU
 * seconds, over the share of a CPU that it gets. A running experiment, a live process and a recorded run all feed it.
 *
 * <p>What a service asks of C2 is predicted from what others asked, given that it is more than C2 has used and has
 * waiting. docs/reference/explain.md gives the figures.
 */
public final class Forecaster {
    /**
     * These are the CPU seconds that C2 used from the first request until it was done, once for each service: seven of
     * bench/corpus on one CPU, two of it that needed more than this, and Quarkus and Spring Boot on two CPUs
     * (bench/forecast/RESULTS.md).
     */
    public static final Prediction DEMAND = Prediction.of(3.0, 3.3, 4.2, 4.8, 6.4, 6.5, 9.1, 14.7, 21.7, 7.6, 10);

    /** Readings of C2's share are over so many seconds; half as many give no forecast. */
    private static final int READING = 10;

    /**
     * This is the standard deviation of a reading's logarithm within a run: 13 recorded runs,
     * bench/forecast/RESULTS.md.
     */
    private static final double SHARE_NOISE = 0.23;

    /** This share lies outside the bounds on either side; the normal quantile below goes with it. */
    private static final double TAIL = 0.05;

    private static final double Z = 1.645;

    /** A recorded run gets the forecasts that it would have had, one every so many seconds. */
    private static final int EVERY_SECONDS = 10;

    private final Prediction demand;
    private final double earlier;
    private final double[] cpu = new double[READING];
    private final double[] wait = new double[READING];
    private double used;
    private double queued;
    private int seconds;

    /** Makes a forecaster that is fed from the first request on. */
    public Forecaster() {
        this(DEMAND, 0);
    }

    /**
     * Makes a forecaster that is fed from any moment on.
     *
     * @param earlier CPU seconds that C2 has used by then; what it used before the first request makes the bound lower
     */
    public Forecaster(Prediction demand, double earlier) {
        this.demand = demand;
        this.earlier = earlier;
    }

    /** Adds the next second of load: C2's CPU and wait in it, in seconds, over all its threads. */
    public void second(double c2Cpu, double c2Wait) {
        cpu[seconds % READING] = c2Cpu;
        wait[seconds % READING] = c2Wait;
        used += c2Cpu;
        seconds++;
    }

    /** Sets what waits for C2 now: methods in its queue times the mean CPU seconds of its compilations so far. */
    public void backlog(double cpuSeconds) {
        queued = cpuSeconds;
    }

    /**
     * Tells whether C2 waited for a CPU rather than running, over the last ten seconds; false before five are known.
     */
    public boolean starved() {
        return 2 * seconds >= READING && recent().starved();
    }

    /**
     * Returns the forecast of now; empty in the first seconds, and where C2 is quiet: then it is done, or its share is
     * not known.
     */
    public Optional<Forecast> forecast() {
        if (2 * seconds < READING || recent().demand() < Thresholds.QUIET_DEMAND || used <= 0) {
            return Optional.empty();
        }
        double share = used / seconds;
        double gone = earlier + used;
        // A bound may rest on what waits, but not on how far that is beyond what other services asked for.
        double least = Math.max(queued, demand.quantileAbove(gone, TAIL) - gone);
        double middle = demand.quantileAbove(gone + queued, 0.5) - gone;
        double most = demand.quantileAbove(gone + queued, 1 - TAIL) - gone;
        double more = middle / share;
        // The mean share so far stands for that of the time to come: both are means of so many readings.
        double shareError = Z * SHARE_NOISE * Math.sqrt((double) READING / seconds + READING / Math.max(READING, more));
        return Optional.of(new Forecast(
                seconds,
                share,
                seconds + more * Math.exp(-Math.hypot(Math.log(middle / least), shareError)),
                seconds + more,
                seconds + more * Math.exp(Math.hypot(Math.log(most / middle), shareError))));
    }

    private CpuUse recent() {
        int count = Math.min(seconds, READING);
        double cpuSum = 0;
        double waitSum = 0;
        for (int i = 0; i < count; i++) {
            cpuSum += cpu[i];
            waitSum += wait[i];
        }
        return count == 0 ? new CpuUse(0, 0) : new CpuUse(cpuSum / count, waitSum / count);
    }

    /**
     * A Second is what a forecast uses of one second of load.
     *
     * @param queued CPU seconds of what waits for C2; 0 where its queue is not known
     */
    public record Second(double c2Cpu, double c2Wait, double queued) {
        /** Makes a second without the queue, which is not recorded everywhere. */
        public Second(double c2Cpu, double c2Wait) {
            this(c2Cpu, c2Wait, 0);
        }

        private double demand() {
            return c2Cpu + c2Wait;
        }
    }

    /**
     * Returns when C2 had worked off what the load gave it: the first second from which it was quiet until the end,
     * that is, asked on average for less than {@link Thresholds#QUIET_DEMAND} of a CPU, running and waiting, in any ten
     * seconds from then on.
     *
     * @param seconds from the first request to the end of the first load
     * @param least seconds that it must have been quiet; the last five or more are judged as they are
     * @return seconds since the first request; empty where C2 had work until the end
     */
    public static OptionalInt cleared(List<Second> seconds, int least) {
        int quiet = 0;
        for (int from = 0; from + READING / 2 <= seconds.size(); from++) {
            List<Second> ahead = seconds.subList(from, Math.min(seconds.size(), from + READING));
            double demand = ahead.stream().mapToDouble(Second::demand).sum();
            if (demand >= Thresholds.QUIET_DEMAND * ahead.size()) {
                quiet = from + 1;
            }
        }
        while (quiet < seconds.size() && seconds.get(quiet).demand() >= Thresholds.QUIET_DEMAND) {
            quiet++;
        }
        return quiet + least <= seconds.size() ? OptionalInt.of(quiet) : OptionalInt.empty();
    }

    /**
     * Returns the forecasts at every tenth second of the first load, and at its end.
     *
     * @param end of the first load phase, in seconds since the first request
     */
    public static List<Forecast> of(RunEvidence evidence, List<Curves.JitPoint> points, long zeroNanos, double end) {
        return of(seconds(evidence, points, zeroNanos, end), Forecaster.DEMAND);
    }

    public static List<Forecast> of(List<Second> seconds, Prediction demand) {
        Forecaster forecaster = new Forecaster(demand, 0);
        List<Forecast> forecasts = new ArrayList<>();
        for (int i = 1; i <= seconds.size(); i++) {
            Second second = seconds.get(i - 1);
            forecaster.second(second.c2Cpu(), second.c2Wait());
            forecaster.backlog(second.queued());
            if (i % EVERY_SECONDS == 0 || i == seconds.size()) {
                forecaster.forecast().ifPresent(forecasts::add);
            }
        }
        return forecasts;
    }

    public static List<Second> seconds(RunEvidence evidence, List<Curves.JitPoint> points, long zeroNanos, double end) {
        List<Second> seconds = new ArrayList<>();
        double cpu = 0;
        for (Curves.JitPoint point : points) {
            cpu += point.c2Cpu();
            if (point.second() >= 0 && point.second() + 1 <= end) {
                long now = zeroNanos + Math.round((point.second() + 1) * 1e9);
                seconds.add(new Second(point.c2Cpu(), point.c2Wait(), queued(evidence, now, cpu)));
            }
        }
        return seconds;
    }

    /**
     * Returns the CPU seconds that wait in C2's queue, by the mean cost of its compilations so far: those in a flight
     * recording, or else its methods in use; 0 where either is unknown.
     */
    private static double queued(RunEvidence evidence, long now, double cpuSeconds) {
        List<JitSample> seen =
                evidence.jit().stream().filter(s -> s.timeNanos() <= now).toList();
        OptionalDouble queue = lastOf(seen.stream()
                .filter(sample -> sample.c2Queue().isPresent())
                .mapToDouble(sample -> sample.c2Queue().orElseThrow())
                .toArray());
        double flown = evidence.flight().stream()
                .flatMap(flight -> flight.compilations().stream())
                .filter(c -> c.level() == 4 && c.timeNanos() <= now)
                .mapToInt(FlightDigest.FlightCompilations::count)
                .sum();
        OptionalDouble inUse = lastOf(seen.stream()
                .flatMap(sample -> sample.levels().stream())
                .mapToDouble(JitState.CodeLevels::level4)
                .toArray());
        double compilations = flown > 0 ? flown : inUse.orElse(0);
        return compilations > 0 ? queue.orElse(0) * cpuSeconds / compilations : 0;
    }

    private static OptionalDouble lastOf(double[] values) {
        return values.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(values[values.length - 1]);
    }

    /**
     * A Forecast is when C2 will be done with the work that the load gives it, estimated from the CPU that it got so far.
     * Times are seconds since the first request. Low to high claims to hold nine times of ten, and does not on services
     * that were left out (bench/forecast/RESULTS.md): only low is printed.
     *
     * @param atSecond what was known then
     * @param c2Share of one CPU that C2 got until then
     * @param low C2 is not done before this, nineteen times of twenty
     * @param high may be infinite
     */
    public record Forecast(double atSecond, double c2Share, double low, double middle, double high) {
        /**
         * A bound is of use if it lies ahead by this share of the time so far. What has lasted 60 s lasts 3 s more nineteen times
         * of twenty, whatever it is (Gott 1993): "not before 66 s" says hardly more than that.
         */
        private static final double AHEAD = 0.25;

        /** Tells whether the bound is of use: it is no nearer than that share, and not over before the next forecast. */
        public boolean tells() {
            return twoDigits(low) >= atSecond + Math.max(EVERY_SECONDS, AHEAD * atSecond);
        }

        /** Returns the last forecast in words, as it knows most; empty where none is of use. */
        public static Optional<String> last(List<Forecast> forecasts) {
            return forecasts.stream()
                    .filter(Forecast::tells)
                    .reduce((earlier, later) -> later)
                    .map(Forecast::words);
        }

        /** Returns {@code C2 not done before 140 s (by second 30 it got 3.4 % of a CPU)}. */
        public String words() {
            return String.format(
                    Locale.ROOT, "%s (by second %.0f it got %.1f %% of a CPU)", brief(), atSecond, 100 * c2Share);
        }

        /** Returns {@code C2 not done before 140 s}, for the line of a running experiment. */
        public String brief() {
            return String.format(Locale.ROOT, "C2 not done before %.0f s", notBefore());
        }

        /** Returns the bound as it is shown. */
        public double notBefore() {
            // Rounded down it may be a time that is over already.
            return Math.max(twoDigits(low), Math.floor(atSecond));
        }

        /**
         * Rounds seconds down to two digits: more digits would claim more than is known, and rounded down it stays a bound.
         */
        public static double twoDigits(double seconds) {
            double step = seconds >= 100 ? Math.pow(10, Math.floor(Math.log10(seconds)) - 1) : 1;
            return Math.floor(seconds / step) * step;
        }
    }
}
