package dev.kiln.explain.budget;

import dev.kiln.explain.budget.Budget.BlockedTime;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.budget.JvmStops.StandStill;
import dev.kiln.explain.window.Counter;
import dev.kiln.explain.window.CpuUse;
import dev.kiln.explain.window.ThreadTimes;
import dev.kiln.explain.window.Window;
import dev.kiln.explain.window.WindowStatisticsBuilder;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.CgroupSample;
import dev.kiln.model.run.Sample.PartSample;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A BudgetReader reads from the evidence of a run where the response time of a window went. */
public final class BudgetReader {
    /**
     * From this version of Linux on a thread that a CPU limit stops leaves its run queue, so that its wait does not count
     * that time; before, it does (kernel/sched/fair.c, "throttle at return to user mode", Linux 6.18).
     */
    private static final int[] WAIT_WITHOUT_LIMIT = {6, 18};

    private static final double SECOND_MILLIS = 1000;

    /** No pool has half of so many requests. */
    private static final double UNKNOWN = Double.POSITIVE_INFINITY;

    /** Threads of a process at work less than this, on average, are idle: a service that waits for requests uses 1 %. */
    private static final double LEAST_AT_WORK = 0.05;

    private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4}).*");

    private final RunEvidence evidence;
    private final ThreadTimes threads;
    private final ServingThreads serving;
    private final InFlight inFlight;
    private final BlockedThreads blocked;
    private final BudgetCounters counters;
    private final JvmStops stops;
    private final boolean waits;

    public BudgetReader(RunEvidence evidence, ThreadTimes threads) {
        this.evidence = evidence;
        this.threads = threads;
        this.serving = ServingThreads.of(evidence, threads);
        this.inFlight = new InFlight(evidence);
        this.blocked = new BlockedThreads(evidence, threads);
        this.counters = BudgetCounters.of(evidence);
        this.stops = JvmStops.of(evidence);
        this.waits = evidence.threads().stream().anyMatch(thread -> thread.waitNanos() > 0);
    }

    /**
     * Returns the budget of a window of load; empty where nothing completed, where the response time is not known, and where
     * threads were not sampled in most of it: then nothing is known but the response time.
     */
    public Optional<Budget> of(Window wanted) {
        if (!threads.seen(wanted, evidence.info().provenance())) {
            return Optional.empty();
        }
        Window window = threads.sampled(wanted);
        double perSecond = window.seconds() > 0 ? inFlight.completed(window) / window.seconds() : 0;
        OptionalDouble response = inFlight.responseMillis(window, perSecond);
        if (perSecond <= 0 || response.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                budget(window, perSecond, response.getAsDouble(), response.getAsDouble() * perSecond / SECOND_MILLIS));
    }

    /**
     * Returns where the time of requests goes in a process whose load is not known: the time of its threads that serve,
     * while they run, wait for a CPU, stand or are blocked. It is of one second of a request, and the requests per second
     * are those at work at a time. It is empty where they hardly work, or were not sampled.
     */
    public Optional<Budget> ofLive(Window window) {
        if (!threads.seen(window, evidence.info().provenance())) {
            return Optional.empty();
        }
        Window sampled = threads.sampled(window);
        CpuUse use = serving.use(sampled);
        double blockedThreads = sum(blocked.in(sampled, 1, UNKNOWN)) / SECOND_MILLIS;
        double moving = stops.in(sampled).orElse(StandStill.NONE).moving();
        double atWork = use.cpu() + use.waiting() + blockedThreads;
        return atWork < LEAST_AT_WORK || moving <= 0
                ? Optional.empty()
                : Optional.of(budget(sampled, atWork / moving, SECOND_MILLIS, UNKNOWN));
    }

    /** @param inFlight requests on their way at a time; infinite where that is not known */
    private Budget budget(Window window, double perSecond, double response, double inFlight) {
        Map<BudgetPart, Double> millis = new EnumMap<>(BudgetPart.class);
        OptionalDouble limited = limited(window);
        CpuUse use = serving.use(window);
        boolean told = serving.areKnown(
                use, window, stops.in(window).map(StandStill::collections).orElse(1.0));
        if (told) {
            putRunning(millis, use, window, perSecond, limited.orElse(0) * response);
        }
        stops.in(window).ifPresent(still -> {
            millis.put(BudgetPart.COLLECTION, still.collections() * response);
            millis.put(BudgetPart.SAFEPOINT, still.others() * response);
        });
        limited.ifPresent(share -> millis.put(BudgetPart.CPU_LIMIT, share * response));
        // A dump is never taken while all threads stand.
        List<BlockedTime> places = scaled(blocked.in(window, perSecond, inFlight), moving(millis, response));
        if (blocked.seen(window) && !blocked.unknown(places)) {
            millis.put(BudgetPart.BLOCKED, sum(places));
        }
        fit(millis, response);
        places = scaled(places, ratio(millis.getOrDefault(BudgetPart.BLOCKED, 0.0), sum(places)));
        double left = Math.max(0, -over(millis, response));
        OptionalDouble toSafepoint = toSafepoint(window, response, left);
        toSafepoint.ifPresent(part -> millis.merge(BudgetPart.SAFEPOINT, part, Double::sum));
        millis.put(BudgetPart.REST, left - toSafepoint.orElse(0));
        return new Budget(
                window,
                perSecond,
                response,
                millis,
                told
                        ? RunningCode.of(evidence.flight(), window, millis.getOrDefault(BudgetPart.RUNNING, 0.0))
                        : RunningCode.NONE,
                places,
                cpusUsed(window),
                stops.counts(window, toSafepoint),
                serving.uninterruptible(window).stream()
                        .map(threads -> Math.min(response, 1e3 * threads / perSecond))
                        .findFirst());
    }

    /**
     * Puts in what requests run and how long they wait for a CPU.
     *
     * @param stood ms of a request in which a CPU limit stopped it
     */
    private void putRunning(Map<BudgetPart, Double> millis, CpuUse use, Window window, double perSecond, double stood) {
        double ran = 1e3 * use.cpu() / perSecond;
        // All of it counts for requests: compilers and collectors hardly enter the kernel.
        OptionalDouble kernel = counters.kernel().rateWhereKnown(window);
        kernel.ifPresent(cpu -> millis.put(BudgetPart.KERNEL, Math.min(ran, 1e3 * cpu / perSecond)));
        millis.put(BudgetPart.RUNNING, ran - millis.getOrDefault(BudgetPart.KERNEL, 0.0));
        if (waits) {
            double cut = waitCountsLimit() ? stood : 0;
            millis.put(BudgetPart.CPU_WAIT, Math.max(0, 1e3 * use.waiting() / perSecond - cut));
        }
    }

    /** Returns the share of the time in which threads could move. */
    private static double moving(Map<BudgetPart, Double> millis, double response) {
        double stood = millis.getOrDefault(BudgetPart.COLLECTION, 0.0) + millis.getOrDefault(BudgetPart.SAFEPOINT, 0.0);
        return Math.max(0, 1 - stood / response);
    }

    /**
     * Returns the time until all threads stood. One that is on its way runs or waits for a CPU, and counts there, and one that is
     * blocked stays so: so it is no more than what no other part has.
     */
    private OptionalDouble toSafepoint(Window window, double response, double left) {
        return stops.toSafepoint(window).stream()
                .map(share -> Math.min(left, share * response))
                .findFirst();
    }

    /** Returns the share of its CPUs that the whole process used, compilers and collectors too. */
    private OptionalDouble cpusUsed(Window window) {
        int cpus = evidence.info().cpus().pinned()
                ? evidence.info().cpus().target().size()
                : evidence.info().host().cpus();
        return cpus > 0
                ? OptionalDouble.of(
                        Math.min(1, threads.evenly(thread -> true, window).cpu() / cpus))
                : OptionalDouble.empty();
    }

    private static double sum(List<BlockedTime> places) {
        return places.stream().mapToDouble(BlockedTime::millis).sum();
    }

    private static double ratio(double part, double of) {
        return of > 0 ? part / of : 0;
    }

    private static List<BlockedTime> scaled(List<BlockedTime> places, double by) {
        return places.stream().map(place -> place.lasting(place.millis() * by)).toList();
    }

    /**
     * Makes the parts fit into the response time. Threads and requests are counted by different clocks, a thread may wait
     * for a CPU without a request, and a few dumps are a rough count: so what is blocked gives way first. Then other stops do,
     * because a thread that runs or waits for a CPU does not stand, then that wait, and then all alike.
     */
    private static void fit(Map<BudgetPart, Double> millis, double response) {
        giveWay(millis, BudgetPart.BLOCKED, response);
        giveWay(millis, BudgetPart.SAFEPOINT, response);
        giveWay(millis, BudgetPart.CPU_WAIT, response);
        double known = millis.values().stream().mapToDouble(Double::doubleValue).sum();
        if (known > response) {
            millis.replaceAll((part, value) -> value * response / known);
        }
    }

    private static double over(Map<BudgetPart, Double> millis, double response) {
        return millis.values().stream().mapToDouble(Double::doubleValue).sum() - response;
    }

    private static void giveWay(Map<BudgetPart, Double> millis, BudgetPart part, double response) {
        double over = over(millis, response);
        if (over > 0) {
            millis.computeIfPresent(part, (same, value) -> Math.max(0, value - over));
        }
    }

    /**
     * Returns the share of the time in which a CPU limit stopped the target; empty where it was not recorded. The kernel adds
     * up the time of each CPU on which threads of the cgroup stood ready. These are the CPUs that it used: as many as it ran
     * on and stood on together, and not all of the machine's. No period stops it for longer than it lasts.
     */
    private OptionalDouble limited(Window window) {
        int cpus = WindowStatisticsBuilder.targetCpus(evidence).size();
        OptionalDouble stood = counters.limited().rateWhereKnown(window);
        if (cpus == 0 || stood.isEmpty()) {
            return OptionalDouble.empty();
        }
        double used = threads.evenly(thread -> true, window).cpu() + stood.getAsDouble();
        double cut = counters.cut().rateWhereKnown(window).orElse(0);
        double periods = counters.periods().rateWhereKnown(window).orElse(0);
        double most = periods > 0 ? Math.min(1, cut / periods) : 1;
        return OptionalDouble.of(Math.clamp(stood.getAsDouble() / Math.clamp(used, 1, cpus), 0, most));
    }

    private boolean waitCountsLimit() {
        Matcher version = VERSION.matcher(evidence.info().host().kernel());
        if (!version.matches()) {
            return true;
        }
        int major = Integer.parseInt(version.group(1));
        int minor = Integer.parseInt(version.group(2));
        return major < WAIT_WITHOUT_LIMIT[0] || (major == WAIT_WITHOUT_LIMIT[0] && minor < WAIT_WITHOUT_LIMIT[1]);
    }

    /** BudgetCounters are what the machine counted, each known at its own moments. */
    record BudgetCounters(Counter kernel, Counter limited, Counter cut, Counter periods) {
        static BudgetCounters of(RunEvidence evidence) {
            List<PartSample> target = evidence.parts().stream()
                    .filter(row -> row.part().equals("target") && row.modes().isPresent())
                    .toList();
            return new BudgetCounters(
                    Counter.of(
                            target,
                            PartSample::timeNanos,
                            row -> row.modes().orElseThrow().systemNanos()),
                    Counter.of(evidence.cgroup(), CgroupSample::timeNanos, CgroupSample::throttledNanos),
                    Counter.of(evidence.cgroup(), CgroupSample::timeNanos, CgroupSample::throttledPeriods),
                    Counter.of(evidence.cgroup(), CgroupSample::timeNanos, CgroupSample::periods));
        }
    }
}
