package dev.kiln.explain;

import dev.kiln.model.Finding.Place;
import dev.kiln.model.Finding.Remedy;
import java.util.List;

/**
 * What cures what, and what it costs. Effects are measured ones: Spring Boot with 100 platform threads on one CPU of an AMD
 * EPYC, Linux 6.18, JDK 25.0.3, 60 s of load, single runs.
 */
final class Remedies {
    private static final String BASIS = " (measured: Spring Boot, 1 CPU, JDK 25.0.3)";

    static final Remedy VIRTUAL_THREADS = new Remedy(
            "serve requests on virtual threads",
            "spring.threads.virtual.enabled=true; Quarkus: @RunOnVirtualThread",
            "code that pins a carrier or counts on thread pools as a limit must change; 95 % of peak after 24 s instead"
                    + " of never within 120 s" + BASIS,
            Place.LAUNCH_FLAG);

    static final Remedy PRIORITY_AT_LAUNCH = new Remedy(
            "favour the compiler threads from the launch on",
            "-XX:ThreadPriorityPolicy=1 -XX:CompilerThreadPriority=-20",
            "needs root or CAP_SYS_NICE, and raises the other priorities of the JVM too; 95 % of peak after 22 s"
                    + BASIS,
            Place.LAUNCH_FLAG);

    static final Remedy BATCH = new Remedy(
            "let callers wait for their compilation",
            "-Xbatch",
            "requests stall while their methods compile, and the start is longer: 11.6 s instead of 8.7 s; 3,164 instead of"
                    + " 1,897 req/s at the end of the warm-up" + BASIS,
            Place.LAUNCH_FLAG);

    static final Remedy AOT_TRAFFIC = new Remedy(
            "train an AOT cache with traffic",
            "-XX:AOTCacheOutput=app.aot under load, then -XX:AOTCache=app.aot",
            "a training run for each build; starts in 3.1 s instead of 8.7 s and peaks higher after a pause, but does not end"
                    + " the starvation by itself" + BASIS,
            Place.LAUNCH_FLAG);

    static final Remedy C1_ONLY =
            new Remedy("do without C2", "-XX:TieredStopAtLevel=1", "a lower peak, reached at once", Place.LAUNCH_FLAG);

    static final Remedy RENICE = new Remedy(
            "favour the C2 threads now",
            "renice -n -20 -p TID, for each thread named C2 CompilerThre, again for every new one",
            "needs CAP_SYS_NICE; at -20 95 % of peak after 25 s, at -10 1.7 times the throughput" + BASIS,
            Place.LIVE_PROCESS);

    static final Remedy DIRECTIVE = new Remedy(
            "let callers wait for C2 now",
            "jcmd PID Compiler.directives_add FILE with [{match:[\"*.*\"],c2:{BackgroundCompilation:false}}]",
            "requests stall while their methods compile; undo with jcmd PID Compiler.directives_clear",
            Place.LIVE_PROCESS);

    static final Remedy READINESS = new Remedy(
            "admit traffic slowly, until C2's queue is drained and the curve is flat",
            "slow start or a readiness gate of the load balancer",
            "other instances carry the load meanwhile",
            Place.PLATFORM);

    static final Remedy MORE_CPU = new Remedy(
            "give it more CPU while it warms up",
            "a higher cgroup weight or a CPU boost at start",
            "CPU that neighbours do not get meanwhile",
            Place.PLATFORM);

    static final Remedy NO_REPLAY = new Remedy(
            "do not replay training data",
            "-XX:+UnlockDiagnosticVMOptions -XX:-AOTReplayTraining",
            "none seen: the cache of classes stays; 4,238 instead of 1,862 req/s after the pause" + BASIS,
            Place.LAUNCH_FLAG);

    static final Remedy NO_TIER_2 = new Remedy(
            "keep methods from tier 2",
            "-XX:Tier3DelayOff=100000 -XX:Tier3DelayOn=100000",
            "full profiling while C2's queue is long, which runs slower than tier 2",
            Place.LAUNCH_FLAG);

    static final Remedy NEWER_JDK = new Remedy(
            "use a JDK in which JDK-8386852 is fixed",
            "JDK 25.0.5",
            "an update; 3,948 instead of 1,862 req/s after the pause" + BASIS,
            Place.LAUNCH_FLAG);

    static final List<Remedy> STARVED_C2 = List.of(
            VIRTUAL_THREADS, PRIORITY_AT_LAUNCH, BATCH, AOT_TRAFFIC, C1_ONLY, RENICE, DIRECTIVE, READINESS, MORE_CPU);

    static final List<Remedy> STUCK = List.of(NO_REPLAY, NEWER_JDK, NO_TIER_2);

    static final List<Remedy> BACKLOG = List.of(
            new Remedy(
                    "allow more C2 threads",
                    "-XX:CICompilerCount=4 -XX:-UseDynamicNumberOfCompilerThreads",
                    "helps only where CPUs are idle; the threads take CPU from requests",
                    Place.LAUNCH_FLAG),
            BATCH,
            READINESS);

    static final List<Remedy> RUNNABLE = List.of(
            VIRTUAL_THREADS,
            new Remedy(
                    "make the pool smaller",
                    "server.tomcat.threads.max=16; quarkus.thread-pool.max-threads=16",
                    "requests queue before the pool; too small a pool leaves CPUs idle while it waits for a database",
                    Place.LAUNCH_FLAG),
            MORE_CPU);

    static final List<Remedy> THROTTLED = List.of(
            new Remedy(
                    "raise or remove the CPU limit, at least while it warms up",
                    "cpu.max (cgroup v2), cpu.cfs_quota_us (v1); resources.limits.cpu of Kubernetes",
                    "neighbours can be crowded out; requests and weights still protect them",
                    Place.PLATFORM),
            new Remedy(
                    "use fewer threads than the limit has CPUs",
                    "-XX:ActiveProcessorCount=N",
                    "a lower peak",
                    Place.LAUNCH_FLAG));

    static final List<Remedy> AOT_RETRAIN = List.of(
            new Remedy(
                    "train the cache with the flags, modules and collector of production",
                    "--add-modules jdk.jfr in both where Flight Recorder is used; the same -XX:+Use...GC; no -javaagent",
                    "a training run",
                    Place.LAUNCH_FLAG),
            new Remedy(
                    "make a rejected cache fatal, so that it is noticed",
                    "-XX:AOTMode=on",
                    "a service that does not start instead of one that starts slowly",
                    Place.LAUNCH_FLAG));

    static final List<Remedy> AOT_UNTRAINED = List.of(AOT_TRAFFIC, NO_REPLAY);

    static final List<Remedy> GENERATOR = List.of(
            new Remedy("give the load generator more CPUs", "--cpus target=0-3,load=4-7", "CPUs", Place.PLATFORM),
            new Remedy("drive the load from another machine", "", "a second machine", Place.PLATFORM));

    static final List<Remedy> DATABASE = List.of(
            new Remedy(
                    "give the database more CPUs, or look at its queries",
                    "--cpus target=0-3,load=4,database=5-7; EXPLAIN ANALYZE",
                    "CPUs, or an index",
                    Place.PLATFORM),
            new Remedy(
                    "allow more connections to it, if its CPU is idle",
                    "spring.datasource.hikari.maximum-pool-size; quarkus.datasource.jdbc.max-size",
                    "memory in the database; more than it has CPUs seldom helps",
                    Place.LAUNCH_FLAG));

    static final List<Remedy> NEIGHBOUR = List.of(new Remedy(
            "measure where nobody else runs", "a dedicated host, isolated CPUs", "a machine", Place.PLATFORM));

    static final List<Remedy> COLLECTOR = List.of(
            new Remedy(
                    "try another collector",
                    "-XX:+UseParallelGC for throughput, -XX:+UseZGC for short pauses",
                    "each trades CPU, memory and pauses in another way",
                    Place.LAUNCH_FLAG),
            new Remedy("give it more heap", "-Xmx", "memory", Place.LAUNCH_FLAG));

    static final List<Remedy> HEAP =
            List.of(new Remedy("give it more heap", "-Xmx, -XX:MaxRAMPercentage", "memory", Place.LAUNCH_FLAG));

    static final List<Remedy> MEMORY = List.of(new Remedy(
            "give it more memory, or a smaller heap",
            "the container's memory limit; -Xmx",
            "memory, or more collections",
            Place.PLATFORM));

    static final List<Remedy> CODE_CACHE = List.of(new Remedy(
            "make the code cache larger",
            "-XX:ReservedCodeCacheSize=240m",
            "address space; memory only for code that is there",
            Place.LAUNCH_FLAG));

    static final List<Remedy> DEOPTIMISATION = List.of(
            new Remedy(
                    "find the method and what C2 supposed of it",
                    "jcmd PID VM.events log=deoptimization; jdk.Deoptimization of a flight recording",
                    "a change of code",
                    Place.LIVE_PROCESS),
            C1_ONLY);

    static final List<Remedy> SPIN = List.of(new Remedy(
            "let threads block instead of spin",
            "fewer threads on the contended pool or lock; a pool that parks its waiters",
            "a change of code or of the pool",
            Place.LAUNCH_FLAG));

    private Remedies() {}
}
