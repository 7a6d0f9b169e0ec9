package dev.kiln.recorder;

import dev.kiln.host.proc.CgroupMeter;
import dev.kiln.host.proc.CpuMeter;
import dev.kiln.host.proc.Disturbances;
import dev.kiln.host.proc.MemoryMeter;
import dev.kiln.jvm.JvmCounters.Pauses;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.model.run.Sample.CgroupSample;
import dev.kiln.model.run.Sample.CpuSample;
import dev.kiln.model.run.Sample.MemorySample;
import dev.kiln.model.run.Sample.PageFaults;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.AccessDeniedException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** RecorderHost records memory, throttling, the parts of the lab and the CPUs, once a second. */
final class RecorderHost implements AutoCloseable {
    private static final long SECOND = 1_000_000_000;

    private final RecorderContext context;
    private RecorderMemory memory;
    private boolean several;
    private boolean served;
    private final PartsRecorder.Parts parts;
    private Optional<CgroupMeter> cgroup = Optional.empty();
    private Optional<CpuMeter> cpus = Optional.empty();
    private final Disturbances disturbances;
    private volatile List<String> notes = List.of();

    RecorderHost(RecorderContext context) {
        this.context = context;
        this.memory = new RecorderMemory(context);
        this.disturbances = new Disturbances(context.fs());
        Map<String, Long> watched = new LinkedHashMap<>();
        if (context.pace().lab()) {
            watched.put(RecorderSpec.TARGET, context.pid());
            watched.putAll(context.spec().parts());
        }
        this.parts =
                new PartsRecorder.Parts(context.fs(), watched, context.spec().launchNanos(), context.sink());
        try {
            cgroup = Optional.of(CgroupMeter.open(context.fs(), context.pid()));
        } catch (IOException e) {
            context.gap("CPU throttling", String.valueOf(e.getMessage()));
        }
        try {
            cpus = Optional.of(new CpuMeter(context.fs()));
        } catch (IOException e) {
            context.gap("CPUs", String.valueOf(e.getMessage()));
        }
    }

    /** @param last whether the run is over: then values that cost too much during the load may be read */
    void sample(Optional<Pauses> pauses, boolean last) {
        memory.sample(pauses, last);
        sampleCgroup();
        parts.sample();
        several |= parts.processes(RecorderSpec.TARGET) > 1;
        sampleCpus();
        if (last && context.pace().lab()) {
            notes = disturbances.notes(context.pid());
        }
    }

    /** Says what of the machine disturbed the target; it is known at the end. */
    List<String> notes() {
        return notes;
    }

    /** Notes that it is known which process serves. */
    void served() {
        served = true;
    }

    /** Reads the memory of another process from now on. */
    void follow() {
        memory.close();
        memory = new RecorderMemory(context);
    }

    private void sampleCgroup() {
        try {
            if (cgroup.isPresent()) {
                CgroupMeter.CgroupThrottling t = cgroup.get().read();
                context.append(new CgroupSample(context.now(), t.periods(), t.throttledPeriods(), t.throttledNanos()));
            }
        } catch (IOException e) {
            if (context.lives()) {
                context.gap(
                        "CPU throttling", "since " + context.now() / SECOND + " s after the launch: " + IoReason.of(e));
            }
            cgroup.ifPresent(CgroupMeter::close);
            cgroup = Optional.empty();
        }
    }

    private void sampleCpus() {
        try {
            if (cpus.isPresent()) {
                long now = context.now();
                for (CpuMeter.Times c : cpus.get().read()) {
                    context.append(new CpuSample(
                            now,
                            c.cpu(),
                            c.busyNanos(),
                            c.idleNanos(),
                            c.stealNanos(),
                            OptionalLong.of(c.softirqNanos())));
                }
            }
        } catch (IOException e) {
            context.gap("CPUs", String.valueOf(e.getMessage()));
            cpus = Optional.empty();
        }
    }

    @Override
    public void close() {
        if (several && !context.drops()) {
            context.gap("threads, JIT and memory of the target's other processes", which());
        }
        memory.close();
        parts.close();
        cgroup.ifPresent(CgroupMeter::close);
        cpus.ifPresent(CpuMeter::close);
    }

    private String which() {
        if (served) {
            return "only the process that serves is recorded in detail, process " + context.pid();
        }
        return context.pid() == context.spec().targetPid()
                ? "only the process that was launched is recorded in detail"
                : "only its JVM is recorded in detail, process " + context.pid();
    }

    /**
     * RecorderMemory records the target's memory. Proportional memory (PSS) is costly, so it is read so seldom that it
     * takes under 1 % of a CPU. It is read once more when the run is over. Otherwise a short run would have only the
     * reading at its launch.
     */
    static final class RecorderMemory implements AutoCloseable {
        private static final long PSS_AT_MOST_EVERY_NANOS = 10_000_000_000L;
        private static final long PSS_COST_SHARE = 100;
        private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

        private final RecorderContext context;
        private Optional<MemoryMeter> meter = Optional.empty();
        private boolean pssRead;
        private Optional<String> whyNoPss = Optional.empty();
        private Optional<String> whyMissed = Optional.empty();
        private int missed;
        private long pssDueNanos = System.nanoTime();
        private boolean pssPermitted;

        RecorderMemory(RecorderContext context) {
            this.context = context;
            this.pssPermitted = context.pace().lab();
            try {
                meter = Optional.of(new MemoryMeter(context.fs(), context.pid()));
            } catch (IOException e) {
                context.gap("memory", String.valueOf(e.getMessage()));
            }
        }

        void sample(Optional<Pauses> pauses, boolean last) {
            if (meter.isEmpty()) {
                return;
            }
            try {
                long rss = meter.get().rssBytes();
                if (rss == 0) {
                    return; // ended, but its parent has not waited for it yet
                }
                long pss = pssBytes(meter.get(), last);
                Pauses p = pauses.orElse(Pauses.NONE);
                context.appendOfProcess(new MemorySample(
                        context.now(),
                        rss,
                        pss,
                        p.collections(),
                        p.collectionNanos(),
                        p.safepoints(),
                        p.safepointNanos(),
                        p.toSafepointNanos(),
                        p.generations(),
                        meter.get().faults().map(faults -> new PageFaults(faults.minor(), faults.major()))));
            } catch (IOException e) {
                missed(e);
            }
        }

        /** One that lives is read again a second later: without the last row of a run nothing is known of its maximum. */
        private void missed(IOException why) {
            if (context.lives()) {
                whyMissed = Optional.of(IoReason.of(why));
                missed++;
            } else {
                close();
            }
        }

        /** Returns proportional memory; 0 when it is not due. */
        private long pssBytes(MemoryMeter from, boolean last) {
            if (!pssPermitted || (!last && System.nanoTime() - pssDueNanos < 0)) {
                return 0;
            }
            long cpuBefore = CPU.getCurrentThreadCpuTime();
            long pss = 0;
            try {
                pss = from.pssBytes();
                pssRead = true;
            } catch (IOException e) {
                whyNoPss = Optional.of("cannot read smaps_rollup: " + IoReason.of(e));
                pssPermitted = !(e instanceof AccessDeniedException);
            }
            long cost = CPU.getCurrentThreadCpuTime() - cpuBefore;
            long end = System.nanoTime();
            // A process that is just becoming another program has no memory for a moment.
            pssDueNanos = pssRead ? end + Math.max(PSS_AT_MOST_EVERY_NANOS, cost * PSS_COST_SHARE) : end;
            return pss;
        }

        @Override
        public void close() {
            // A process that has ended is no gap. One that denies access after its start is.
            if (!pssRead || !pssPermitted) {
                whyNoPss.ifPresent(why -> context.gap("proportional memory (PSS)", why));
            }
            whyMissed.ifPresent(why -> context.gap(
                    "memory, at times",
                    "in " + missed + " of its seconds the process's status could not be read: " + why));
            meter.ifPresent(MemoryMeter::close);
            meter = Optional.empty();
        }
    }
}
