package dev.kiln.importer;

import dev.kiln.model.CpuSample;
import dev.kiln.model.MemorySample;
import dev.kiln.model.PartSample;
import dev.kiln.model.ThreadSample;

/** Takes what was seen of processes and CPUs. Times are ns since the run's zero. */
interface SystemSink {
    void thread(ThreadSample sample);

    void part(PartSample sample);

    void memory(MemorySample sample);

    void cpu(CpuSample sample);

    /** No thread was sampled in this stretch. */
    void unseen(long fromNanos, long toNanos);

    void gap(String what);
}
