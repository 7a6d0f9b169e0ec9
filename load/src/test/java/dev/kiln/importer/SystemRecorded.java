package dev.kiln.importer;

import dev.kiln.importer.format.LoadSource.Span;
import dev.kiln.importer.format.SystemLog;
import dev.kiln.model.run.Sample;
import dev.kiln.model.run.Sample.CpuSample;
import dev.kiln.model.run.Sample.MemorySample;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import java.util.ArrayList;
import java.util.List;

/** Takes what logs of threads and CPUs tell. */
final class SystemRecorded implements SystemLog.Sink {
    final List<ThreadSample> threads = new ArrayList<>();
    final List<PartSample> parts = new ArrayList<>();
    final List<CpuSample> cpus = new ArrayList<>();
    final List<Span> unseen = new ArrayList<>();
    final List<String> gaps = new ArrayList<>();

    static SystemRecorded of(SystemLog log) {
        SystemRecorded recorded = new SystemRecorded();
        log.read(-log.span().fromNanos(), recorded);
        return recorded;
    }

    /** The last counters of the only thread of a role. */
    ThreadSample last(ThreadRole role) {
        return threads.stream()
                .filter(thread -> thread.role() == role)
                .reduce((a, b) -> b)
                .orElseThrow();
    }

    @Override
    public void append(Sample sample) {
        switch (sample) {
            case ThreadSample thread -> threads.add(thread);
            case PartSample part -> parts.add(part);
            case CpuSample cpu -> cpus.add(cpu);
            case MemorySample memory -> {}
            default -> throw new IllegalArgumentException(sample.toString());
        }
    }

    @Override
    public void unseen(long fromNanos, long toNanos) {
        unseen.add(new Span(fromNanos, toNanos));
    }

    @Override
    public void gap(String what) {
        gaps.add(what);
    }
}
