package dev.kiln.explain;

/**
 * Where evidence becomes a finding. Every value stands here with its source; docs/reference/explain.md repeats them.
 * Shares are of one CPU or of time, as said.
 */
public final class Thresholds {
    /** Shorter stretches say nothing: the kernel credits a wait only when the thread gets its CPU. */
    static final double WINDOW_SECONDS = 1;

    /**
     * Wait over CPU and wait from which a compiler is starved. Beside a busy thread and a busy C1 on a fair CPU it waits two
     * thirds of the time, which every cold start has for a while; measured: 0.97 beside platform threads, 0.74 reniced to
     * -10, 0.5 when served.
     */
    static final double STARVED_RATIO = 0.72;

    /** C2 threads waiting on average from which C2 is starved: most of the time for one thread. */
    static final double STARVED_WAIT = 0.5;

    /** Compilers that ask for less than this share of one CPU, running and waiting, are quiet, however they are served. */
    static final double QUIET_DEMAND = 0.3;

    /**
     * Compiler CPU time over compile time: 0.03 to 0.1 measured when starved, 0.5 to 1 when served. Decides only where
     * waiting is not recorded.
     */
    static final double EFFICIENCY_STARVED = 0.25;

    static final double EFFICIENCY_SERVED = 0.45;

    /** Methods in C2's queue; at the 5 to 10 ms of CPU a compilation takes, about a second of one CPU. */
    static final int BACKLOG = 100;

    /** CPU seconds that C2 uses in a pause, when no request asks for anything; the same second, with room for noise. */
    static final double BACKLOG_IN_PAUSE_SECONDS = 2;

    /** HotSpot's Tier3DelayOn: a C2 queue longer than this for each C2 thread sends methods to tier 2. */
    static final int REAL_QUEUE_PER_THREAD = 5;

    /** Level-3 share of levels 2 and 3; measured: 0.005 with training data replayed, 0.08 rejected, 0.40 without. */
    static final double STUCK_LEVEL3 = 0.10;

    /** A share that grew by more than this over the window is on its way out; a percentage point is reading noise. */
    static final double STUCK_RISE = 0.01;

    /** Share of periods cut short, the relative difference that counts as one (delta of the analysis). */
    static final double THROTTLED = 0.05;

    /** Threads waiting on each CPU: then any one thread gets at most a sixth of it, by share = 1 / (runnable + 1). */
    static final double WAITING_PER_CPU = 5;

    /** A CPU this busy has no room for more requests, as in the validity of a run. */
    static final double LAB_SATURATED = Validity.LAB_SATURATED;

    /** Share of seconds in which the generator stalled; above it a run is invalid too. */
    static final double STALLED = 0.02;

    /** CPU of other programs, of one CPU: more than any error of accounting, as in the validity of a run. */
    static final double FOREIGN = 0.25;

    /** Time a hypervisor took away: delta of the analysis. */
    static final double STEAL = 0.05;

    /** Share of its CPUs below which a target under full load waits for something else, where a database is recorded. */
    static final double TARGET_IDLE = 0.7;

    /** The same where none is: the target has then to be idle for most of the time. */
    static final double TARGET_IDLE_ALONE = 0.5;

    /** Share of the connections with a request in flight from which load is no limit. */
    static final double IN_FLIGHT = 0.8;

    /** Time in collections: G1's own goal is 1 / (1 + GCTimeRatio 12) = 7.7 %. */
    static final double GC = 0.08;

    /** From this share on the heap is to blame, whatever the rate. */
    static final double GC_HEAP = 0.25;

    /** Collections a second from which a young generation is tiny; measured: 8 a second, 4 % of the time, at a healthy 512 MiB. */
    static final double COLLECTIONS_PER_SECOND = 10;

    /** Code cache in use. HotSpot begins to flush cold code when less than a tenth is free. */
    static final double CODE_CACHE_USED = 0.95;

    /** Deoptimisations a second in the second half of a warm-up; a settled service has under one. */
    static final double DEOPTIMISATIONS_PER_SECOND = 50;

    /** Compilations a second in the same half; measured: 1 to 10 once settled. */
    static final double CHURN_PER_SECOND = 20;

    /**
     * Compilations a second where methods in use are not known, if they do not fall off as those of a warm-up do. Measured in
     * a cold Spring Boot: 750 in the first seconds, 200 after ten, under 50 after fifteen.
     */
    static final double CHURN_ALONE_PER_SECOND = 100;

    /** Rate of the later half of the window over that of the earlier, from which it does not fall off. */
    static final double CHURN_LASTS = 0.8;

    /**
     * Change of methods in use, those of C2 counted twice, per compilation, below which code is thrown away as it is made.
     * Measured over the first seconds of small targets on 17 and 25: 0.84 to 1.30, and 0.23 to 0.27 in a loop of uncommon
     * traps.
     */
    static final double CHURN_KEPT = 0.5;

    /**
     * CPU time per involuntary switch, in seconds: a scheduler's slice is 0.75 ms at the least (2.8 ms in EEVDF), so what
     * ends much sooner gave the CPU away itself. Measured: 2.2 ms preempted, 0.075 ms yielding.
     */
    static final double YIELD_SLICE = 0.1e-3;

    /** Wait per involuntary switch: who yields gets the CPU back at once; measured 0.014 ms, against 107 ms preempted. */
    static final double YIELD_WAIT = 1e-3;

    /** CPU that spinning must cost before it is named, of one CPU. */
    static final double SPINNING_CPU = 0.2;

    /** Resident memory of the memory there is. */
    static final double MEMORY = 0.9;

    /** CPU of a live JVM beside its compilers, collector and own threads below which it is idle: a service that waits for requests uses under 1 %. */
    static final double IDLE_CPU = 0.05;

    /** Compilers' demand over what the program itself uses, from which a live JVM is warming; a guess, 1 to 3 % seen once settled. */
    static final double WARMING_SHARE = 0.2;

    /** Age in seconds from which a queue's length says nothing any more: three periods of the question in steady watching. */
    static final double QUEUE_AGE_SECONDS = 30;

    private Thresholds() {}

    /**
     * Whether compiler threads are starved.
     *
     * @param cpu CPUs they got on average
     * @param waiting those of them that waited for one on average
     */
    public static boolean starved(double cpu, double waiting) {
        return waiting >= STARVED_WAIT && waiting / (cpu + waiting) >= STARVED_RATIO;
    }
}
