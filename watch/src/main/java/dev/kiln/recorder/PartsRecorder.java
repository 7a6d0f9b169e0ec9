package dev.kiln.recorder;

import dev.kiln.evidence.EvidenceSink;
import dev.kiln.host.proc.PartMeter;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import dev.kiln.model.KilnException;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.model.run.Sample.PartSample.Modes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** A PartsRecorder records the lab's parts here each second, while the target runs on another machine. */
public final class PartsRecorder implements AutoCloseable {
    private static final long END_SECONDS = 5;

    private final Parts parts;
    private final EvidenceSink writer;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("kiln-parts").factory());

    private final ScheduledFuture<?> ticking;

    private PartsRecorder(Parts parts, EvidenceSink writer) {
        this.parts = parts;
        this.writer = writer;
        ticking = timer.scheduleAtFixedRate(this::sample, 0, 1, TimeUnit.SECONDS);
    }

    /** Begins at once. */
    public static PartsRecorder start(Map<String, Long> pids, long launchNanos, EvidenceSink writer) {
        return new PartsRecorder(new Parts(ProcFs.ofThisMachine(), pids, launchNanos, writer), writer);
    }

    private void sample() {
        try {
            parts.sample();
            writer.flush();
        } catch (KilnException e) {
            // A full disk. The target's recording reports it, because it uses the same writer.
            return;
        }
    }

    /** Records once more and ends. A second call does nothing. */
    @Override
    public void close() {
        if (timer.isShutdown()) {
            return;
        }
        timer.execute(this::sample);
        timer.shutdown();
        try {
            timer.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        parts.close();
        if (ticking.state() == Future.State.FAILED) {
            throw new IllegalStateException("the recording of the parts ended early", ticking.exceptionNow());
        }
    }

    /** Parts have the CPU use of the parts of the lab. */
    static final class Parts implements AutoCloseable {
        /** Parts whose children are parts of their own. */
        private static final Set<String> ALONE = Set.of(RecorderSpec.KILN, RecorderSpec.AGENT);

        private final PartMeter.Census census;
        private final long launchNanos;
        private final EvidenceSink writer;
        private final Map<String, PartMeter> meters = new LinkedHashMap<>();

        /** @param parts name to pid */
        Parts(ProcFs fs, Map<String, Long> parts, long launchNanos, EvidenceSink writer) {
            this.census = new PartMeter.Census(fs);
            this.launchNanos = launchNanos;
            this.writer = writer;
            parts.forEach((name, pid) -> meters.put(name, new PartMeter(fs, pid, ALONE.contains(name))));
        }

        void sample() {
            if (meters.isEmpty()) {
                return;
            }
            List<ProcStat> newcomers = census.newcomers();
            meters.values().forEach(part -> part.join(newcomers));
            meters.forEach((name, part) -> {
                // Taken before the read, which begins with the CPU time: the waits of hundreds of threads can take
                // milliseconds.
                long time = System.nanoTime() - launchNanos;
                part.read()
                        .ifPresent(usage -> writer.append(new PartSample(
                                time,
                                name,
                                usage.cpuNanos(),
                                usage.waitNanos(),
                                Optional.of(new Modes(usage.userNanos(), usage.systemNanos())))));
            });
        }

        /** Returns how many processes a part consists of; 0 for one that is not watched. */
        int processes(String part) {
            PartMeter meter = meters.get(part);
            return meter == null ? 0 : meter.size();
        }

        @Override
        public void close() {
            meters.values().forEach(PartMeter::close);
        }
    }
}
