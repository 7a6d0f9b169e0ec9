package dev.kiln.evidence;

import dev.kiln.model.CgroupSample;
import dev.kiln.model.CompilerSample;
import dev.kiln.model.CpuSample;
import dev.kiln.model.HeapSample;
import dev.kiln.model.JitSample;
import dev.kiln.model.MemorySample;
import dev.kiln.model.PartSample;
import dev.kiln.model.ThreadSample;

/** Takes samples as they come, in the order of their times for each kind. For use by several threads. */
public interface EvidenceSink {
    void append(ThreadSample sample);

    void append(CompilerSample sample);

    void append(JitSample sample);

    void append(MemorySample sample);

    void append(CgroupSample sample);

    void append(PartSample sample);

    void append(CpuSample sample);

    void append(HeapSample sample);

    /** A look at everything is complete. */
    void flush();
}
