package dev.kiln.evidence;

import dev.kiln.model.CgroupSample;
import dev.kiln.model.CompilerSample;
import dev.kiln.model.CpuSample;
import dev.kiln.model.HeapSample;
import dev.kiln.model.JitSample;
import dev.kiln.model.MemorySample;
import dev.kiln.model.PartSample;
import dev.kiln.model.RunEvidence;
import dev.kiln.model.RunInfo;
import dev.kiln.model.ThreadSample;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** Keeps the evidence of the last while in memory. */
public final class EvidenceCollector implements EvidenceSink {
    private final long keepNanos;
    private final Deque<ThreadSample> threads = new ArrayDeque<>();
    private final Deque<CompilerSample> compiler = new ArrayDeque<>();
    private final Deque<JitSample> jit = new ArrayDeque<>();
    private final Deque<MemorySample> memory = new ArrayDeque<>();
    private final Deque<CgroupSample> cgroup = new ArrayDeque<>();
    private final Deque<PartSample> parts = new ArrayDeque<>();
    private final Deque<CpuSample> cpus = new ArrayDeque<>();
    private long newestNanos;

    /** @param keepNanos how far back */
    public EvidenceCollector(long keepNanos) {
        this.keepNanos = keepNanos;
    }

    /** All that is kept, as evidence of a run. */
    public synchronized RunEvidence evidence(RunInfo info) {
        return new RunEvidence(
                info,
                List.of(),
                List.of(),
                List.of(),
                List.copyOf(threads),
                List.copyOf(compiler),
                List.copyOf(jit),
                Optional.empty(),
                List.copyOf(memory),
                List.copyOf(cgroup),
                List.copyOf(parts),
                List.copyOf(cpus),
                List.of());
    }

    @Override
    public synchronized void append(ThreadSample sample) {
        newestNanos = sample.timeNanos();
        threads.addLast(sample);
    }

    @Override
    public synchronized void append(CompilerSample sample) {
        compiler.addLast(sample);
    }

    @Override
    public synchronized void append(JitSample sample) {
        jit.addLast(sample);
    }

    @Override
    public synchronized void append(MemorySample sample) {
        memory.addLast(sample);
    }

    @Override
    public synchronized void append(CgroupSample sample) {
        cgroup.addLast(sample);
    }

    @Override
    public synchronized void append(PartSample sample) {
        newestNanos = sample.timeNanos();
        parts.addLast(sample);
    }

    @Override
    public synchronized void append(CpuSample sample) {
        cpus.addLast(sample);
    }

    /** No verdict on a living JVM goes by it. */
    @Override
    public void append(HeapSample sample) {}

    /** Forgets what is older than it keeps; the JVM's answers are few and are kept ten times as long. */
    @Override
    public synchronized void flush() {
        long oldest = newestNanos - keepNanos;
        forget(threads, ThreadSample::timeNanos, oldest);
        forget(compiler, CompilerSample::timeNanos, oldest);
        forget(jit, JitSample::timeNanos, newestNanos - 10 * keepNanos);
        forget(memory, MemorySample::timeNanos, oldest);
        forget(cgroup, CgroupSample::timeNanos, oldest);
        forget(parts, PartSample::timeNanos, oldest);
        forget(cpus, CpuSample::timeNanos, oldest);
    }

    private static <T> void forget(Deque<T> samples, ToLongFunction<T> time, long oldest) {
        while (!samples.isEmpty() && time.applyAsLong(samples.getFirst()) < oldest) {
            samples.removeFirst();
        }
    }
}
