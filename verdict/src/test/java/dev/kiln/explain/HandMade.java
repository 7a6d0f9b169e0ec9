package dev.kiln.explain;

import dev.kiln.explain.study.Assessment;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.Latency.Beginning;
import dev.kiln.model.load.Latency.Latencies;
import dev.kiln.model.load.Latency.LatencyInterval;
import dev.kiln.model.load.Latency.PhaseLatency;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadBin.CallBin;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.LoadSpec.Replay;
import dev.kiln.model.load.LoadSpec.Step;
import dev.kiln.model.load.LoadSpec.Variables;
import dev.kiln.model.load.Sending.Slo;
import dev.kiln.model.run.Attached;
import dev.kiln.model.run.Attached.Restarted;
import dev.kiln.model.run.Course;
import dev.kiln.model.run.Course.Handshakes;
import dev.kiln.model.run.Course.OutOfMemory;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.Course.Unserved;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.Machine;
import dev.kiln.model.run.Provenance;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunEvidence.JvmEvidence;
import dev.kiln.model.run.RunEvidence.LoadEvidence;
import dev.kiln.model.run.RunEvidence.MachineEvidence;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.Sample.CgroupSample;
import dev.kiln.model.run.Sample.ClassSample;
import dev.kiln.model.run.Sample.CollectionSample;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.CpuSample;
import dev.kiln.model.run.Sample.HeapSample;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.model.run.Sample.MemorySample;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import dev.kiln.model.run.Sample.ThreadState;
import dev.kiln.model.run.Treatment;
import dev.kiln.stats.AnalysisConfig;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/** Evidence of a run, made by hand. Times are seconds since launch, load is requests per second. */
public final class HandMade {
    public static final long SECOND = 1_000_000_000L;
    public static final CpuAssignment APART = new CpuAssignment(List.of(0), List.of(1), List.of(1), true, List.of());
    public static final CpuAssignment TOGETHER = new CpuAssignment(List.of(0), List.of(0), List.of(0), true, List.of());

    public final List<LoadBin> load = new ArrayList<>();
    private final List<CallBin> calls = new ArrayList<>();
    private final List<PhaseTime> phases = new ArrayList<>();
    public final List<Phase> planned = new ArrayList<>();
    public final List<LatencyInterval> latency = new ArrayList<>();
    public final List<ThreadSample> threads = new ArrayList<>();
    public final List<CompilerSample> compiler = new ArrayList<>();
    public final List<JitSample> jit = new ArrayList<>();
    public final List<BlockedSample> blocked = new ArrayList<>();
    public Optional<FlightDigest> flight = Optional.empty();
    public Optional<FlightDigest> closing = Optional.empty();
    public final List<CollectionSample> collections = new ArrayList<>();
    public final List<ClassSample> classes = new ArrayList<>();
    public final List<HeapSample> heap = new ArrayList<>();
    public final List<MemorySample> memory = new ArrayList<>();
    public final List<CgroupSample> cgroup = new ArrayList<>();
    public final List<PartSample> parts = new ArrayList<>();
    public final List<CpuSample> cpus = new ArrayList<>();
    private final String variant;
    private int run;
    private CpuAssignment assignment = APART;
    private Outcome outcome = Outcome.COMPLETED;
    private Optional<String> detail = Optional.empty();
    public Treatment treatment = Treatment.NONE;
    public List<String> flags = List.of();
    public String version = "25";
    /** Others in force; only those of a JVM whose flags are known. */
    public List<String> inForce = List.of();

    public List<String> command = List.of("java");

    /** How long it had run before; empty for what was launched for the run. */
    public Optional<Attached> attached = Optional.empty();

    public Optional<Restarted> restarted = Optional.empty();

    public OptionalDouble rate = OptionalDouble.empty();
    public Optional<Slo> slo = Optional.empty();
    public Optional<Replay> replay = Optional.empty();
    /** After each request; zero for no session. */
    public Duration think = Duration.ZERO;

    public final List<Beginning> beginnings = new ArrayList<>();
    public List<NotRecorded> notRecorded = List.of();
    public List<String> notes = List.of();
    public Runs runs = Runs.fixed(1);
    public Optional<FoundReference> reference = Optional.empty();
    public Optional<FoundReference.End> referenceEnd = Optional.empty();
    public List<String> repeatedFor = List.of();
    /** As the target's log has them. */
    public Set<OutOfMemory> outOfMemory = Set.of();

    public Optional<Provenance> provenance = Optional.empty();
    /** Of the loads that are added next. */
    public Optional<Duration> untilSteady = Optional.empty();

    public Optional<Duration> untilKnown = Optional.empty();
    /** The least that they were planned to last. */
    public long atLeastPlanned;

    public int connections = 100;

    /** Where the target ran, if that was another machine. */
    public Optional<Machine.RemoteHost> remote = Optional.empty();

    /** Which run went on at the same time; empty for a run alone. */
    public Optional<RunInfo.Duet> beside = Optional.empty();

    public Optional<Machine.LoadHost> loadFrom = Optional.empty();

    public final List<PhaseLatency> phaseLatency = new ArrayList<>();
    public long backlog;
    public long lagNanos;
    public long memoryBytes = 8L << 30;

    public HandMade(String variant, int run) {
        this.variant = variant;
        this.run = run;
    }

    /** The shape most tests want: a warm-up from second 10 on, a pause of 15 s, and 20 s of measuring. */
    public static HandMade measured(String variant, double measured, double... warmup) {
        HandMade made = new HandMade(variant, 1).load("warmup", 10, warmup);
        return made.pause("pause", 15).load("measure", 25 + warmup.length, seconds(20, measured));
    }

    public static double[] seconds(int count, double rate) {
        double[] rates = new double[count];
        Arrays.fill(rates, rate);
        return rates;
    }

    public static double[] then(double[] first, double[] second) {
        double[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    public HandMade numbered(int number) {
        run = number;
        return this;
    }

    public HandMade on(CpuAssignment cpus) {
        assignment = cpus;
        return this;
    }

    public HandMade treated(Treatment how) {
        treatment = how;
        return this;
    }

    public HandMade ended(Outcome how, String why) {
        outcome = how;
        detail = why.isEmpty() ? Optional.empty() : Optional.of(why);
        return this;
    }

    public HandMade load(String name, long start, double... perSecond) {
        planned(name, Math.max(atLeastPlanned, perSecond.length));
        phases.add(new PhaseTime(name, true, start * SECOND, OptionalLong.of((start + perSecond.length) * SECOND)));
        for (int i = 0; i < 10 * perSecond.length; i++) {
            long from = start * SECOND + i * SECOND / 10;
            long completed = Math.round(perSecond[i / 10] / 10);
            load.add(new LoadBin(
                    name, from, from + SECOND / 10, completed, completed, LoadBin.Errors.NONE, backlog, lagNanos));
        }
        return this;
    }

    /** One call of a load; p99 is twice p50. */
    public HandMade call(String phase, long start, String call, double p50Millis, double... perSecond) {
        long p50 = Math.round(p50Millis * 1e6);
        for (int i = 0; i < perSecond.length; i++) {
            long from = (start + i) * SECOND;
            calls.add(new CallBin(phase, from, from + SECOND, call, Math.round(perSecond[i]), 0, p50, 2 * p50));
        }
        return this;
    }

    /** What no bin of a load counts. */
    public HandMade unserved(String phase, Unserved unserved) {
        phases.replaceAll(p -> p.name().equals(phase)
                ? new PhaseTime(
                        p.name(),
                        p.load(),
                        p.startNanos(),
                        p.endNanos(),
                        Optional.of(unserved),
                        Optional.empty(),
                        p.loops())
                : p);
        return this;
    }

    /** The load generator had so many event loops. */
    public HandMade loops(String phase, Double... shares) {
        phases.replaceAll(p -> p.name().equals(phase)
                ? new PhaseTime(
                        p.name(),
                        p.load(),
                        p.startNanos(),
                        p.endNanos(),
                        p.unserved(),
                        p.handshakes(),
                        Optional.of(List.of(shares)))
                : p);
        return this;
    }

    /** The load went over TLS. */
    public HandMade shaken(String phase, Handshakes made) {
        phases.replaceAll(p -> p.name().equals(phase)
                ? new PhaseTime(
                        p.name(), p.load(), p.startNanos(), p.endNanos(), p.unserved(), Optional.of(made), p.loops())
                : p);
        return this;
    }

    /** In the protocol, but the run never came to it. */
    public HandMade planned(String name, long seconds) {
        planned.add(new Phase.Load(name, Duration.ofSeconds(seconds), untilSteady, Optional.empty(), untilKnown));
        return this;
    }

    public HandMade pause(String name, long seconds) {
        long start = phases.getLast().endNanos().orElseThrow();
        planned.add(new Phase.Pause(name, Duration.ofSeconds(seconds)));
        phases.add(new PhaseTime(name, false, start, OptionalLong.of(start + seconds * SECOND)));
        return this;
    }

    /** All that failed, and how late the generator was, in one bin of 100 ms. */
    public HandMade spoil(String phase, double second, long refused, long lagMillis) {
        for (int i = 0; i < load.size(); i++) {
            LoadBin bin = load.get(i);
            if (bin.phase().equals(phase) && bin.startNanos() == Math.round(second * SECOND)) {
                load.set(
                        i,
                        new LoadBin(
                                phase,
                                bin.startNanos(),
                                bin.endNanos(),
                                bin.started(),
                                bin.completed(),
                                new LoadBin.Errors(refused, 0, 0, 0, 0),
                                0,
                                lagMillis * 1_000_000));
                return this;
            }
        }
        throw new IllegalArgumentException("no bin of " + phase + " at " + second);
    }

    public HandMade thread(double at, int tid, String name, ThreadRole role, double cpu, double wait) {
        threads.add(sample(at, tid, name, role, cpu, wait));
        return this;
    }

    public static ThreadSample sample(double at, int tid, String name, ThreadRole role, double cpu, double wait) {
        return new ThreadSample(
                nanos(at),
                tid,
                name,
                role,
                nanos(cpu),
                nanos(wait),
                0,
                nanos(at) / 10_000_000,
                0,
                ThreadState.NOT_RECORDED);
    }

    public HandMade part(double at, String part, double cpu) {
        parts.add(new PartSample(nanos(at), part, nanos(cpu), nanos(cpu / 2), Optional.empty()));
        return this;
    }

    public HandMade cpu(double at, int cpu, double busy, double steal) {
        cpus.add(new CpuSample(nanos(at), cpu, nanos(busy), nanos(at - busy), nanos(steal), OptionalLong.empty()));
        return this;
    }

    /** Returns the digest of a flight recording of which only this is known. */
    public static FlightDigest flight(FlightDigest.FlightJit compilers) {
        return new FlightDigest(compilers, FlightDigest.EMPTY.collector(), FlightDigest.EMPTY.samples(), List.of());
    }

    public static long nanos(double seconds) {
        return Math.round(seconds * SECOND);
    }

    public RunEvidence evidence() {
        return new RunEvidence(
                info(),
                new LoadEvidence(load, new Latencies(latency, phaseLatency, beginnings), calls, false),
                new JvmEvidence(threads, compiler, jit, blocked, flight, collections, classes, heap),
                new MachineEvidence(memory, cgroup, parts, cpus),
                closing,
                List.of(),
                List.of());
    }

    public RunDigest digest() {
        return RunDigest.of(evidence(), AnalysisConfig.defaults());
    }

    public static ExperimentResult assess(HandMade... runs) {
        Assessment assessment = new Assessment(AnalysisConfig.defaults());
        for (HandMade run : runs) {
            assessment.add(run.evidence());
        }
        return assessment.result("by hand");
    }

    private RunInfo info() {
        return new RunInfo(
                "0.1.0",
                new RunInfo.Which("by hand", List.of(), variant, run, run, 1, beside),
                new RunInfo.Launch(
                        0, 0, command, Map.of(), treatment, Optional.empty(), Optional.empty(), attached, restarted, 1),
                new Machine(
                        flags.isEmpty()
                                ? Optional.empty()
                                : Optional.of(new Machine.JvmInfo("/jdk", version, "vendor", flags, inForce)),
                        new Machine.HostInfo("6.18", "EPYC", 2, memoryBytes, "EEVDF", Map.of()),
                        assignment,
                        remote),
                new RunInfo.Plan(
                        slo.map(some -> load().with(some)).orElseGet(this::load),
                        new Protocol("custom", planned, reference),
                        runs,
                        "kiln: 100 ms bins by completion",
                        loadFrom),
                new Course(
                        phases.isEmpty() ? OptionalLong.empty() : OptionalLong.of(8 * SECOND),
                        phases.isEmpty() ? OptionalLong.empty() : OptionalLong.of(9 * SECOND),
                        phases,
                        outcome,
                        detail,
                        referenceEnd,
                        repeatedFor,
                        OptionalLong.empty(),
                        List.of(),
                        outOfMemory),
                new RunInfo.Limits(notRecorded, notes, provenance));
    }

    public static HandMade cycles() {
        return new HandMade("a", 1)
                .load("warmup-1", 10, seconds(15, 400))
                .pause("pause-1", 15)
                .load("warmup-2", 40, seconds(15, 700))
                .pause("pause-2", 15)
                .load("warmup-3", 70, seconds(15, 1000))
                .pause("pause-3", 15)
                .load("measure", 100, seconds(20, 1000));
    }

    private LoadSpec load() {
        LoadSpec load = new LoadSpec(
                List.of(HttpCall.get(URI.create("http://localhost/"))), connections, rate, Duration.ofSeconds(30));
        LoadSpec thinking = think.isZero()
                ? load
                : load.with(List.of(load.calls().getFirst().with(new Step(true, think, Map.of()))));
        return replay.map(some -> load.with(new Variables(1, Optional.empty(), Optional.of(some))))
                .orElse(thinking);
    }
}
