package dev.kiln.doctor;

import dev.kiln.evidence.EvidenceSink;
import dev.kiln.evidence.EvidenceSink.EvidenceCollector;
import dev.kiln.evidence.RunWriter;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.OrphanRegistry;
import dev.kiln.model.KilnException;
import dev.kiln.model.LiveProcess;
import dev.kiln.model.experiment.Variant.Observe;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.recorder.Recorder;
import dev.kiln.recorder.RecorderSpec;
import dev.kiln.recorder.RecorderSpec.RecorderPace;
import dev.kiln.recorder.RecorderSpec.ThreadDumping;
import dev.kiln.recorder.Recording;
import dev.kiln.recorder.Recording.CompilerLoad;
import dev.kiln.recorder.Recording.DumpTimes;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;

/** A Watch records and diagnoses one live JVM until it is closed or the JVM dies. */
public final class Watch implements AutoCloseable {
    private final LiveProcess process;
    private final WatchFacts facts;
    private final EvidenceCollector collector;
    private final Optional<RunWriter> writer;
    private final Recorder recorder;
    private final Optional<OrphanRegistry> registry;
    private boolean finished;

    private Watch(LiveProcess process, Spec spec, ProcFs fs) {
        this.process = process;
        this.facts = new WatchFacts(fs, process, spec.kilnVersion(), spec.instruments());
        this.collector = new EvidenceCollector(spec.keep().toNanos());
        this.writer = spec.save()
                .map(folder ->
                        new RunWriter(folder.resolve("pid-" + process.pid()).resolve("1")));
        this.registry = spec.threadDumps() ? registry() : Optional.empty();
        EvidenceSink sink = writer.isPresent() ? collector.and(writer.get()) : collector;
        try {
            writer.ifPresent(to -> to.write(facts.info(Outcome.RUNNING, List.of(), Optional.empty())));
            this.recorder = Recorder.start(
                    fs,
                    new RecorderSpec(
                            process.pid(),
                            facts.launchNanos(),
                            Set.of(),
                            Map.of(),
                            spec.ask(),
                            spec.pace(),
                            new ThreadDumping(spec.threadDumps(), registry)),
                    sink);
        } catch (RuntimeException e) {
            closeAfter(e);
            throw e;
        }
    }

    /** Opens the book of what a killed Kiln leaves behind; a machine on which nothing can be written has none. */
    private static Optional<OrphanRegistry> registry() {
        try {
            return Optional.of(new OrphanRegistry(OrphanRegistry.defaultFolder()));
        } catch (KilnException | OverlappingFileLockException e) {
            return Optional.empty();
        }
    }

    /** Starts a watch at once. */
    public static Watch begin(LiveProcess process, Spec spec) {
        return begin(process, spec, ProcFs.ofThisMachine());
    }

    /** Starts a watch that reads {@code /proc} below another root. */
    public static Watch begin(LiveProcess process, Spec spec, ProcFs fs) {
        return new Watch(process, spec, fs);
    }

    /** Dumps the threads of the process at these moments, if the watch has thread dumps. */
    public void dumpThreads(DumpTimes times) {
        recorder.dumpThreads(times);
    }

    public LiveProcess process() {
        return process;
    }

    /** Returns the present age of the process. */
    public double ageSeconds() {
        return (System.nanoTime() - facts.launchNanos()) / 1e9;
    }

    /** @param seconds how far back from now to judge */
    public LiveDiagnosis diagnosis(double seconds) {
        LiveDiagnosis diagnosis = LiveDiagnosis.of(evidence(), seconds);
        return hasEnded() ? diagnosis.ofTheDead() : diagnosis;
    }

    /** Returns the process with what is known of it, judged so many seconds back from now. */
    DoctorSubject subject(double seconds) {
        return new DoctorSubject(process, diagnosis(seconds), notRecorded());
    }

    public RunEvidence evidence() {
        return collector.evidence(facts.info(Outcome.RUNNING, recorder.notRecorded(), recorder.jvm()));
    }

    public Pulse pulse() {
        RunEvidence evidence = evidence();
        Optional<CompilerLoad> c2 = recorder.c2LastSecond();
        return new Pulse(
                lastSecondCpu(evidence.parts()),
                c2.map(load -> OptionalDouble.of(load.cpuShare())).orElse(OptionalDouble.empty()),
                c2.map(load -> OptionalDouble.of(load.waitShare())).orElse(OptionalDouble.empty()),
                last(evidence.jit(), JitSample::c2Queue),
                last(
                        evidence.jit(),
                        sample -> sample.levels()
                                .map(levels -> OptionalInt.of(levels.level4()))
                                .orElse(OptionalInt.empty())));
    }

    /** Tells whether the process has died. */
    public boolean hasEnded() {
        return recorder.targetHasEnded();
    }

    /** Tells whether evidence is still recorded; where it cannot be stored, {@link #finish} tells why. */
    public boolean isRecording() {
        return recorder.isRecording();
    }

    public List<NotRecorded> notRecorded() {
        return recorder.notRecorded();
    }

    /** Reads once more and ends. The diagnosis then covers the whole time. A second call does nothing. */
    public synchronized void finish() {
        if (finished) {
            return;
        }
        finished = true;
        try {
            Recording.RecordingResult result = recorder.stop();
            if (result.failure().isPresent()) {
                throw result.failure().get();
            }
            writer.ifPresent(to -> to.write(facts.info(Outcome.COMPLETED, recorder.notRecorded(), recorder.jvm())));
        } catch (RuntimeException e) {
            closeAfter(e);
            throw e;
        }
        writer.ifPresent(RunWriter::close);
        registry.ifPresent(OrphanRegistry::close);
    }

    /** Closes the files after a failure. A full disk is not reported twice. */
    private void closeAfter(RuntimeException failure) {
        registry.ifPresent(OrphanRegistry::close);
        try {
            writer.ifPresent(RunWriter::close);
        } catch (KilnException e) {
            failure.addSuppressed(e);
        }
    }

    @Override
    public void close() {
        finish();
    }

    private static OptionalDouble lastSecondCpu(List<PartSample> parts) {
        if (parts.size() < 2) {
            return OptionalDouble.empty();
        }
        PartSample a = parts.get(parts.size() - 2);
        PartSample b = parts.getLast();
        return OptionalDouble.of((b.cpuNanos() - a.cpuNanos()) / (double) (b.timeNanos() - a.timeNanos()));
    }

    private static OptionalInt last(List<JitSample> samples, Function<JitSample, OptionalInt> part) {
        OptionalInt last = OptionalInt.empty();
        for (JitSample sample : samples) {
            OptionalInt value = part.apply(sample);
            last = value.isPresent() ? value : last;
        }
        return last;
    }

    /**
     * A Pulse is the last second or so of a process, for a live screen. Shares are of one CPU.
     *
     * @param cpu of the whole process
     * @param c2Wait C2 threads waiting for a CPU on average
     * @param c2Queue the last known length
     * @param level4 the last known number of methods compiled by C2
     */
    public record Pulse(
            OptionalDouble cpu, OptionalDouble c2Cpu, OptionalDouble c2Wait, OptionalInt c2Queue, OptionalInt level4) {}

    /**
     * A Spec says how to watch a process.
     *
     * @param ask whether to ask the JVM over its attach socket; otherwise Kiln only looks
     * @param threadDumps whether its threads are dumped when {@link Watch#dumpThreads} says
     * @param keep how far back evidence is kept in memory
     * @param save folder for the evidence, in the form of an experiment with one run
     */
    public record Spec(
            RecorderPace pace,
            boolean ask,
            boolean threadDumps,
            Duration keep,
            Optional<Path> save,
            String kilnVersion) {
        List<String> instruments() {
            return Observe.NOTHING.withJit(ask).withThreadDumps(threadDumps).instruments();
        }
    }

    /** A DoctorSubject is a living JVM as the doctor found it. */
    public record DoctorSubject(LiveProcess process, LiveDiagnosis diagnosis, List<NotRecorded> notRecorded) {
        public DoctorSubject {
            notRecorded = List.copyOf(notRecorded);
        }
    }
}
