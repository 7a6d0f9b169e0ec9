package dev.kiln.explain;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.HandMade.nanos;
import static dev.kiln.explain.HandMade.seconds;

import dev.kiln.model.run.Finding;
import dev.kiln.model.run.JitState;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.CgroupSample;
import dev.kiln.model.run.Sample.CollectionSample;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.CpuSample;
import dev.kiln.model.run.Sample.Generations;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.model.run.Sample.MemorySample;
import dev.kiln.model.run.Sample.PageFaults;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.model.run.Sample.PartSample.Modes;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import dev.kiln.model.run.Sample.ThreadState;
import dev.kiln.stats.AnalysisConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.IntToDoubleFunction;

/**
 * Evidence of a service on one CPU, sampled each second: 10 s of start, 60 s of load, a pause of 15 s, 20 s of load. Healthy
 * unless told otherwise. Rates are per second.
 */
public final class Service {
    private int pause = 70;
    private int measure = 85;
    private int end = 105;

    public final HandMade made;
    public double c2Cpu = 0.01;
    public double c2Wait = 0.01;
    public double c2BeforeLoad = 0.3;
    public double c2InPause = 0.02;
    /** Seconds since launch until which it waits so, and what waits then. */
    public int c2WaitsUntil = Integer.MAX_VALUE;

    public int c2Threads = 1;
    public double workerCpu = 0.8;
    public double workerWait = 0.2;
    /** Seconds since launch until which they wait so. */
    public int waitsUntil = Integer.MAX_VALUE;

    public double workerInvoluntary = 50;
    public double workerVoluntary = 500;
    public String pool = "http-nio-8080-e";
    public double targetCpu = 0.9;
    public double targetWait = 0.6;
    public double loadCpu = 0.3;
    public double databaseCpu = 0.4;
    public double labBusy = 0.72;
    public double targetBusy = 0.92;
    public IntToDoubleFunction stolen = t -> 0;
    public double periods;
    public double throttledPeriods;
    /** Of each period that is cut, over all CPUs. */
    public double cutSeconds = 0.05;

    public double collections = 3;
    public double collectionShare = 0.03;
    /** Collections included. */
    public double safepointShare = 0.01;

    public double toSafepointShare = Double.NaN;

    /** What they were for, in the JVM's words; empty where that was not recorded. */
    public String collectedFor = "";
    /** Share of the time, of those for {@link #collectedFor} that are full ones; NaN where they are not counted apart. */
    public double fullShare = Double.NaN;
    /** What changes with the load after the pause; NaN for as before. */
    public double collectionShareAfter = Double.NaN;

    /** Of each CPU; NaN where it was not recorded. */
    public double softirq = 0.0002;

    public double softirqAfter = Double.NaN;
    /** Of the target's CPU, in the kernel; NaN where it was not recorded. */
    public double targetSystem = Double.NaN;

    public double targetSystemAfter = Double.NaN;
    /** Minor faults; NaN where they were not recorded. */
    public double faults = 100;

    public double faultsAfter = Double.NaN;
    public double majorFaults;
    public IntToDoubleFunction workerAt = t -> workerCpu;
    public double targetWaitAfter = Double.NaN;
    public double targetCpuAfter = Double.NaN;
    public double throttledPeriodsAfter = Double.NaN;
    public long rssAfter;
    /** What changes with the second half of the load before the pause; NaN for as before. */
    public double collectionShareBefore = Double.NaN;

    public double compilations = 2;
    public double compileSeconds = 0.01;
    public long rss = 400L << 20;
    public int queue = 2;
    public int level2 = 600;
    public int level3 = 400;
    public double level3PerSecond;
    public double level4 = 800;
    public double level4PerSecond;
    public long codeUsed = 30L << 20;
    public int codeFull;
    public int codeStopped;
    public boolean threads = true;
    public boolean counters = true;
    public boolean asked = true;
    public boolean parts = true;
    public boolean cpus = true;
    public boolean cgroup = true;
    public boolean database = true;
    /** What the database is called. */
    public String behind = "database";

    private Optional<RunEvidence> recorded = Optional.empty();

    public Service(HandMade made) {
        this.made = made;
    }

    /** At its peak from the first request on. */
    public static Service healthy() {
        return of(seconds(60, 1000), 1000);
    }

    public static Service of(double[] warmup, double measured) {
        return of(warmup, measured, 100);
    }

    /** @param inFlight requests, of 100 connections */
    public static Service of(double[] warmup, double measured, long inFlight) {
        HandMade made = new HandMade("a", 1);
        made.backlog = inFlight;
        made.lagNanos = 3_000_000;
        made.flags = List.of("-XX:+UsePerfData");
        made.inForce = List.of("-XX:CICompilerCount=2", "-XX:ParallelGCThreads=1");
        made.load("warmup", 10, warmup).pause("pause", 15).load("measure", 25 + warmup.length, seconds(20, measured));
        return new Service(made);
    }

    /** Other times, in seconds since launch. */
    public Service until(int pauseAt, int measureAt, int endAt) {
        pause = pauseAt;
        measure = measureAt;
        end = endAt;
        return this;
    }

    /** C2 gets 3 % of the CPU from the first request to the pause, in which it works its backlog off. */
    public Service starved() {
        c2Cpu = 0.03;
        c2Wait = 0.97;
        c2InPause = 0.8;
        compileSeconds = 0.7;
        return this;
    }

    public List<Finding> findings() {
        return RunDigest.of(evidence(), AnalysisConfig.defaults()).findings();
    }

    public Finding finding(String id) {
        return findings().stream().filter(f -> f.id().equals(id)).findFirst().orElseThrow();
    }

    public List<String> held() {
        return findings().stream()
                .filter(f -> f.state() == Finding.FindingState.CONFIRMED)
                .map(Finding::id)
                .toList();
    }

    public String first(String id) {
        return finding(id).evidence().getFirst().text();
    }

    /** Made once: what is changed later does not show. */
    public RunEvidence evidence() {
        if (recorded.isEmpty()) {
            recorded = Optional.of(record());
        }
        return recorded.orElseThrow();
    }

    private RunEvidence record() {
        double c2 = 0;
        double wait = 0;
        double worker = 0;
        double workerWaited = 0;
        for (int t = 0; t <= end; t++) {
            if (threads) {
                threads(t, c2, wait, worker, workerWaited);
            }
            others(t);
            boolean loaded = t >= 10 && (t < pause || t >= measure);
            c2 += t < 10 ? c2BeforeLoad : loaded ? c2Cpu : c2InPause;
            wait += loaded ? t < c2WaitsUntil ? c2Wait : 0.01 : 0;
            worker += loaded ? workerAt.applyAsDouble(t) : 0;
            workerWaited += loaded && t < waitsUntil ? workerWait : 0;
        }
        return made.evidence();
    }

    private void threads(int t, double c2, double wait, double worker, double workerWaited) {
        for (int i = 0; i < c2Threads; i++) {
            made.threads.add(new ThreadSample(
                    t * SECOND,
                    100 + i,
                    "C2 CompilerThre",
                    ThreadRole.C2,
                    nanos(c2),
                    nanos(wait),
                    0,
                    t,
                    t,
                    ThreadState.NOT_RECORDED));
        }
        made.threads.add(new ThreadSample(
                t * SECOND, 3, "C1 CompilerThre", ThreadRole.C1, 0, 0, 0, t, 0, ThreadState.NOT_RECORDED));
        // No thread can run and wait for longer than the time.
        int workers = Math.max(1, (int) Math.ceil(workerCpu + workerWait - 1e-9));
        for (int i = 0; i < workers; i++) {
            made.threads.add(new ThreadSample(
                    t * SECOND,
                    1000 + i,
                    pool,
                    ThreadRole.WORKER,
                    nanos(worker / workers),
                    nanos(workerWaited / workers),
                    0,
                    Math.round(workerVoluntary * t / workers),
                    Math.round(workerInvoluntary * t / workers),
                    ThreadState.NOT_RECORDED));
        }
    }

    private void others(int t) {
        long now = t * SECOND;
        if (counters) {
            made.compiler.add(new CompilerSample(
                    now, Math.round(1000 + compilations * t), 0, nanos(compileSeconds * t), 0, 0, 0));
            made.memory.add(new MemorySample(
                    now,
                    rssAfter > 0 && t >= measure ? rssAfter : rss,
                    0,
                    Math.round(collections * t),
                    nanos(collected(t)),
                    1 + t,
                    nanos(safepointShare * t),
                    Double.isNaN(toSafepointShare)
                            ? OptionalLong.empty()
                            : OptionalLong.of(nanos(toSafepointShare * t)),
                    Double.isNaN(fullShare)
                            ? Optional.empty()
                            : Optional.of(new Generations(0, Math.round(collections * t), nanos(fullShare * t))),
                    Double.isNaN(faults)
                            ? Optional.empty()
                            : Optional.of(new PageFaults(
                                    Math.round(grown(t, faults, faultsAfter)), Math.round(majorFaults * t)))));
            if (!collectedFor.isEmpty() && t > 0) {
                made.collections.add(new CollectionSample(
                        now,
                        collectedFor,
                        Math.round(collections * t) - Math.round(collections * (t - 1)),
                        nanos(collected(t) - collected(t - 1)),
                        Optional.empty()));
            }
        }
        if (asked && t % 2 == 0) {
            made.jit.add(JitSample.at(now)
                    .queues(OptionalInt.of(0), OptionalInt.of(queue))
                    .with(new JitState.CodeLevels(
                            100,
                            level2,
                            (int) Math.round(level3 + level3PerSecond * t),
                            (int) Math.round(level4 + level4PerSecond * t),
                            OptionalInt.empty()))
                    .with(new JitState.CodeCacheFill(codeUsed, 240L << 20, codeFull, codeStopped, List.of())));
        }
        if (parts) {
            made.parts.add(target(t));
            part(now, "load", loadCpu * t, 0);
            if (database) {
                part(now, behind, databaseCpu * t, 0);
            }
        }
        if (cpus) {
            OptionalLong soft = Double.isNaN(softirq)
                    ? OptionalLong.empty()
                    : OptionalLong.of(nanos(grown(t, softirq, softirqAfter)));
            made.cpus.add(new CpuSample(now, 0, nanos(targetBusy * t), 0, nanos(stolen.applyAsDouble(t)), soft));
            made.cpus.add(new CpuSample(now, 1, nanos(labBusy * t), 0, 0, soft));
        }
        if (cgroup) {
            made.cgroup.add(new CgroupSample(
                    now,
                    Math.round(periods * t),
                    Math.round(grown(t, throttledPeriods, throttledPeriodsAfter)),
                    nanos(grown(t, throttledPeriods, throttledPeriodsAfter) * cutSeconds)));
        }
    }

    private PartSample target(int t) {
        double cpu = grown(t, targetCpu, targetCpuAfter);
        double system = grown(t, targetSystem, targetSystemAfter);
        return new PartSample(
                t * SECOND,
                "target",
                nanos(cpu),
                nanos(grown(t, targetWait, targetWaitAfter)),
                Double.isNaN(system) ? Optional.empty() : Optional.of(new Modes(nanos(cpu - system), nanos(system))));
    }

    private double collected(int t) {
        double halfway = 10 + (pause - 10) / 2.0;
        double less = Double.isNaN(collectionShareBefore) ? 0 : collectionShare - collectionShareBefore;
        return grown(t, collectionShare, collectionShareAfter) - less * Math.min(t, halfway);
    }

    /** Returns a counter that grows at one rate until the pause, and at another after it. */
    private double grown(int t, double rate, double after) {
        return rate * Math.min(t, pause) + (Double.isNaN(after) ? rate : after) * Math.max(0, t - pause);
    }

    private void part(long now, String name, double cpu, double wait) {
        made.parts.add(new PartSample(now, name, nanos(cpu), nanos(wait), Optional.empty()));
    }

    /** What only an import of thread counters knows. */
    public Service threadsAlone() {
        counters = false;
        asked = false;
        parts = false;
        cpus = false;
        cgroup = false;
        return this;
    }

    public static List<String> ids(List<Finding> findings, Finding.FindingState state) {
        List<String> ids = new ArrayList<>();
        findings.stream().filter(f -> f.state() == state).forEach(f -> ids.add(f.id()));
        return ids;
    }
}
