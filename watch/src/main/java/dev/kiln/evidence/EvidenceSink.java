package dev.kiln.evidence;

import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunEvidence.JvmEvidence;
import dev.kiln.model.run.RunEvidence.LoadEvidence;
import dev.kiln.model.run.RunEvidence.MachineEvidence;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Sample;
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
import dev.kiln.model.run.Sample.ThreadSample;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An EvidenceSink receives samples from several threads, those of one kind in the order of their times. */
public interface EvidenceSink {
    void append(Sample sample);

    /** Says that one round of samples is complete, so that they can be written or old ones be dropped. */
    void flush();

    /** Returns a sink that passes each sample on to this sink and to a second one. */
    default EvidenceSink and(EvidenceSink second) {
        EvidenceSink first = this;
        return new EvidenceSink() {
            @Override
            public void append(Sample sample) {
                first.append(sample);
                second.append(sample);
            }

            @Override
            public void flush() {
                first.flush();
                second.flush();
            }
        };
    }

    /** An EvidenceCollector keeps the most recent evidence in memory, for a verdict on a JVM that is still running. */
    final class EvidenceCollector implements EvidenceSink {
        private final long keepNanos;
        private final Map<Class<?>, Deque<Sample>> kept = new HashMap<>();
        private long newestNanos;

        /** @param keepNanos how far back */
        public EvidenceCollector(long keepNanos) {
            this.keepNanos = keepNanos;
        }

        /** Returns all samples that are kept, as evidence of a run without a load. */
        public synchronized RunEvidence evidence(RunInfo info) {
            return new RunEvidence(
                    info,
                    LoadEvidence.NONE,
                    new JvmEvidence(
                            all(ThreadSample.class),
                            all(CompilerSample.class),
                            all(JitSample.class),
                            all(BlockedSample.class),
                            Optional.empty(),
                            all(CollectionSample.class),
                            all(ClassSample.class),
                            all(HeapSample.class)),
                    new MachineEvidence(
                            all(MemorySample.class),
                            all(CgroupSample.class),
                            all(PartSample.class),
                            all(CpuSample.class)),
                    List.of());
        }

        private <T extends Sample> List<T> all(Class<T> kind) {
            return kept.getOrDefault(kind, new ArrayDeque<>()).stream()
                    .map(kind::cast)
                    .toList();
        }

        @Override
        public synchronized void append(Sample sample) {
            if (sample instanceof ThreadSample || sample instanceof PartSample) {
                newestNanos = sample.timeNanos();
            }
            kept.computeIfAbsent(sample.getClass(), kind -> new ArrayDeque<>()).addLast(sample);
        }

        /** Forgets old samples. Answers of the JVM are few, so it keeps them ten times as long. */
        @Override
        public synchronized void flush() {
            kept.forEach((kind, samples) -> {
                long oldest =
                        newestNanos - (kind == JitSample.class || kind == BlockedSample.class ? 10 : 1) * keepNanos;
                while (!samples.isEmpty() && samples.getFirst().timeNanos() < oldest) {
                    samples.removeFirst();
                }
            });
        }
    }
}
