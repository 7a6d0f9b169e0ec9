package dev.kiln.recorder;

import dev.kiln.evidence.EvidenceSink;
import dev.kiln.host.CgroupMeter;
import dev.kiln.host.CpuMeter;
import dev.kiln.host.CpuTimes;
import dev.kiln.host.ProcFs;
import dev.kiln.jvm.JvmCounters.Pauses;
import dev.kiln.model.CgroupSample;
import dev.kiln.model.CpuSample;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Once a second: memory, throttling, the parts of the lab and the CPUs. */
final class RecorderHost implements AutoCloseable {
    private final RecorderSpec spec;
    private final EvidenceSink writer;
    private final RecorderGaps gaps;
    private final RecorderMemory memory;
    private final RecorderParts parts;
    private Optional<CgroupMeter> cgroup = Optional.empty();
    private Optional<CpuMeter> cpus = Optional.empty();

    RecorderHost(ProcFs fs, RecorderSpec spec, EvidenceSink writer, RecorderGaps gaps) {
        this.spec = spec;
        this.writer = writer;
        this.gaps = gaps;
        this.memory = new RecorderMemory(fs, spec, writer, gaps);
        Map<String, Long> watched = new LinkedHashMap<>();
        if (spec.pace().lab()) {
            watched.put(RecorderSpec.TARGET, spec.targetPid());
            watched.putAll(spec.parts());
        }
        this.parts = new RecorderParts(fs, watched, spec.launchNanos(), writer);
        try {
            cgroup = Optional.of(CgroupMeter.open(fs, spec.targetPid()));
        } catch (IOException e) {
            gaps.add("CPU throttling", String.valueOf(e.getMessage()));
        }
        try {
            cpus = Optional.of(new CpuMeter(fs));
        } catch (IOException e) {
            gaps.add("CPUs", String.valueOf(e.getMessage()));
        }
    }

    /** @param last whether the run is over, so that what was too costly during the load may be read */
    void sample(Optional<Pauses> pauses, boolean last) {
        memory.sample(pauses, last);
        sampleCgroup();
        parts.sample();
        if (parts.processes(RecorderSpec.TARGET) > 1) {
            gaps.add(
                    "threads, JIT and memory of the target's child processes",
                    "only the process that was launched is recorded in detail: end a start script with exec");
        }
        sampleCpus();
    }

    private void sampleCgroup() {
        try {
            if (cgroup.isPresent()) {
                CgroupMeter.Throttling t = cgroup.get().read();
                writer.append(new CgroupSample(now(), t.periods(), t.throttledPeriods(), t.throttledNanos()));
            }
        } catch (IOException e) {
            // The cgroup went with the target.
            cgroup = Optional.empty();
        }
    }

    private void sampleCpus() {
        try {
            if (cpus.isPresent()) {
                long now = now();
                for (CpuTimes c : cpus.get().read()) {
                    writer.append(new CpuSample(now, c.cpu(), c.busyNanos(), c.idleNanos(), c.stealNanos()));
                }
            }
        } catch (IOException e) {
            gaps.add("CPUs", String.valueOf(e.getMessage()));
            cpus = Optional.empty();
        }
    }

    private long now() {
        return System.nanoTime() - spec.launchNanos();
    }

    @Override
    public void close() {
        memory.close();
        parts.close();
        cgroup.ifPresent(CgroupMeter::close);
        cpus.ifPresent(CpuMeter::close);
    }
}
