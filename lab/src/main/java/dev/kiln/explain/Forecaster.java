package dev.kiln.explain;

import dev.kiln.model.Forecast;
import dev.kiln.model.Forecast.Interval;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How long C2 will need, told second by second while load goes: what C2 still has to do, in CPU seconds, over the share of
 * a CPU that it gets. A running experiment, a live process and a recorded run all feed it.
 *
 * <p>What C2 has to do is not known before it is done. It is taken from what was measured for two services, and from C2's
 * use before the first request where that was seen; C2's queue, where known, is the least that is left. The intervals
 * join the range of that demand with the lowest and highest share seen; docs/reference/explain.md gives the figures.
 */
public final class Forecaster {
    /** The share is that of the last seconds; less than half as many give no forecast. */
    private static final int RECENT = 10;

    /** Shares are compared in steps of this many seconds: a wait is credited late. */
    private static final int STEP = 5;

    /**
     * CPU seconds that C2 needs in all over those it used before the first request. Measured twice: 3.1, Spring Boot on JDK
     * 25 with 60 s of load; low and high are guesses.
     */
    private static final Interval OVER_STARTUP = new Interval(2, 3.1, 5);

    /** CPU seconds that C2 needs in all: 7.6 (Quarkus) and 10 (Spring Boot) measured, up to 18 on a slower machine. */
    private static final Interval PRIOR = new Interval(5, 8.7, 20);

    /** Less CPU before the first request than this tells nothing of the service. */
    private static final double TELLING_STARTUP = 0.5;

    /** More methods come while a queue is worked off: up to as many again, taken as certain; a guess. */
    private static final double QUEUE_GROWS = 2;

    /**
     * CPU that C2 uses while nothing keeps it waiting: methods get hot one after the other. Measured: 10 CPU seconds in 25 s
     * at nice -20; low is a guess, high is one thread that always runs.
     */
    private static final Interval FAVOURED = new Interval(0.25, 0.4, 1);

    /**
     * How many times as much CPU C2 gets where those that ask for a compilation wait for it: 13 % against 3.4 %, Spring Boot
     * on one CPU with 100 connections, one run each. At the least it gains nothing.
     */
    private static final double FOREGROUND_GAIN = 3.8;

    private final OptionalDouble beforeLoad;
    private final double earlier;
    private final double[] cpu = new double[RECENT];
    private final double[] wait = new double[RECENT];
    private double used;
    private double stepCpu;
    private double lowShare = Double.POSITIVE_INFINITY;
    private double highShare;
    private int seconds;
    private OptionalDouble backlogSeconds = OptionalDouble.empty();

    /** @param beforeLoad CPU seconds of C2 from launch to the first request; empty where that was not seen */
    public Forecaster(OptionalDouble beforeLoad) {
        this(beforeLoad, 0);
    }

    private Forecaster(OptionalDouble beforeLoad, double earlier) {
        this.beforeLoad = beforeLoad;
        this.earlier = earlier;
    }

    /** @param used CPU seconds of C2 from launch until now, under load or not */
    public static Forecaster midway(double used) {
        return new Forecaster(OptionalDouble.empty(), used);
    }

    /**
     * How long from now on.
     *
     * @param c2Share of one CPU that C2 got lately
     * @param asItIs seconds, if that share stays
     * @param favoured seconds, if from now on nothing keeps the compilers from a CPU
     * @param foreground seconds, if from now on threads wait for what they have asked C2 to compile
     */
    public record Remaining(double c2Share, Interval asItIs, Interval favoured, Interval foreground) {}

    /** Empty as {@link #forecast} is. */
    public Optional<Remaining> remaining() {
        Situation.Use now = recent();
        if (seconds < STEP || now.demand() < Thresholds.QUIET_DEMAND || now.cpu() <= 0) {
            return Optional.empty();
        }
        return left().map(left -> {
            Interval asItIs = over(left, shares(now));
            Interval favoured = over(left, FAVOURED);
            double foreground =
                    Math.min(asItIs.middle(), Math.max(favoured.middle(), asItIs.middle() / FOREGROUND_GAIN));
            return new Remaining(
                    now.cpu(),
                    asItIs,
                    favoured,
                    new Interval(Math.min(favoured.low(), asItIs.low()), foreground, asItIs.high()));
        });
    }

    /** Of a CPU: the lowest, the latest and the highest. */
    private Interval shares(Situation.Use now) {
        return new Interval(Math.min(lowShare, now.cpu()), now.cpu(), Math.max(highShare, now.cpu()));
    }

    /** Seconds for what is left: the least with the highest share, and the most with the lowest. */
    private static Interval over(Interval left, Interval share) {
        return new Interval(left.low() / share.high(), left.middle() / share.middle(), left.high() / share.low());
    }

    /** The next second of load: C2's CPU and wait in it, in seconds, over all its threads. */
    public void second(double c2Cpu, double c2Wait) {
        cpu[seconds % RECENT] = c2Cpu;
        wait[seconds % RECENT] = c2Wait;
        used += c2Cpu;
        stepCpu += c2Cpu;
        seconds++;
        if (seconds % STEP == 0) {
            lowShare = Math.min(lowShare, stepCpu / STEP);
            highShare = Math.max(highShare, stepCpu / STEP);
            stepCpu = 0;
        }
    }

    /**
     * What waits for C2 now.
     *
     * @param methods in its queue
     * @param cpuSecondsEach mean CPU time of its compilations so far
     */
    public void backlog(double methods, double cpuSecondsEach) {
        backlogSeconds = OptionalDouble.of(methods * cpuSecondsEach);
    }

    /** Whether C2 waits for a CPU rather than running, over the last seconds. */
    public boolean starved() {
        return seconds >= STEP && recent().starved();
    }

    /** Empty for the first seconds, and where C2 is quiet: then it is done, or its share cannot be told. */
    public Optional<Forecast> forecast() {
        Situation.Use now = recent();
        if (seconds < STEP || now.demand() < Thresholds.QUIET_DEMAND || now.cpu() <= 0) {
            return Optional.empty();
        }
        return left().map(left -> {
            Interval more = over(left, shares(now));
            Interval all = new Interval(used + left.low(), used + left.middle(), used + left.high());
            return new Forecast(
                    seconds,
                    now.cpu(),
                    new Interval(seconds + more.low(), seconds + more.middle(), seconds + more.high()),
                    over(all, FAVOURED));
        });
    }

    private Situation.Use recent() {
        int count = Math.min(seconds, RECENT);
        double cpuSum = 0;
        double waitSum = 0;
        for (int i = 0; i < count; i++) {
            cpuSum += cpu[i];
            waitSum += wait[i];
        }
        return count == 0 ? new Situation.Use(0, 0) : new Situation.Use(cpuSum / count, waitSum / count);
    }

    /** CPU seconds that C2 still needs; empty where it has used more than was to be expected, and its queue is not known. */
    private Optional<Interval> left() {
        boolean telling = beforeLoad.isPresent() && beforeLoad.getAsDouble() >= TELLING_STARTUP;
        double before = beforeLoad.orElse(0) + earlier;
        // A beginning that an AOT cache or a build-time framework made short tells too little: both estimates are
        // joined.
        Interval total = telling
                ? new Interval(
                        Math.min(PRIOR.low(), before * OVER_STARTUP.low()),
                        Math.max(PRIOR.middle(), before * OVER_STARTUP.middle()),
                        Math.max(PRIOR.high(), before * OVER_STARTUP.high()))
                : PRIOR;
        double queued = backlogSeconds.orElse(0);
        Interval left = new Interval(
                Math.max(queued, total.low() - before - used),
                Math.max(queued, total.middle() - before - used),
                Math.max(QUEUE_GROWS * queued, total.high() - before - used));
        return left.middle() > 0 ? Optional.of(left) : Optional.empty();
    }
}
