package dev.kiln.model;

/** One row of what was recorded of a run beside its load. */
public sealed interface Sample
        permits ThreadSample, CompilerSample, JitSample, MemorySample, CgroupSample, PartSample, CpuSample, HeapSample {
    /** Since launch. */
    long timeNanos();
}
