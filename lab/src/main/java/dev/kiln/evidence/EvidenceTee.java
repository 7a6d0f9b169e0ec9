package dev.kiln.evidence;

import dev.kiln.model.CgroupSample;
import dev.kiln.model.CompilerSample;
import dev.kiln.model.CpuSample;
import dev.kiln.model.HeapSample;
import dev.kiln.model.JitSample;
import dev.kiln.model.MemorySample;
import dev.kiln.model.PartSample;
import dev.kiln.model.ThreadSample;

/** Hands each sample to two sinks. */
public record EvidenceTee(EvidenceSink first, EvidenceSink second) implements EvidenceSink {
    @Override
    public void append(ThreadSample sample) {
        first.append(sample);
        second.append(sample);
    }

    @Override
    public void append(CompilerSample sample) {
        first.append(sample);
        second.append(sample);
    }

    @Override
    public void append(JitSample sample) {
        first.append(sample);
        second.append(sample);
    }

    @Override
    public void append(MemorySample sample) {
        first.append(sample);
        second.append(sample);
    }

    @Override
    public void append(CgroupSample sample) {
        first.append(sample);
        second.append(sample);
    }

    @Override
    public void append(PartSample sample) {
        first.append(sample);
        second.append(sample);
    }

    @Override
    public void append(CpuSample sample) {
        first.append(sample);
        second.append(sample);
    }

    @Override
    public void append(HeapSample sample) {
        first.append(sample);
        second.append(sample);
    }

    @Override
    public void flush() {
        first.flush();
        second.flush();
    }
}
