package dev.kiln.recorder;

import dev.kiln.evidence.EvidenceSink;
import dev.kiln.host.PartMeter;
import dev.kiln.host.ProcFs;
import dev.kiln.host.ProcStat;
import dev.kiln.host.ProcessCensus;
import dev.kiln.model.PartSample;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the parts of the lab take of the CPUs. */
final class RecorderParts implements AutoCloseable {
    /** Their children are parts of their own. */
    private static final Set<String> ALONE = Set.of(RecorderSpec.KILN, RecorderSpec.AGENT);

    private final ProcessCensus census;
    private final long launchNanos;
    private final EvidenceSink writer;
    private final Map<String, PartMeter> meters = new LinkedHashMap<>();

    /** @param parts name to pid */
    RecorderParts(ProcFs fs, Map<String, Long> parts, long launchNanos, EvidenceSink writer) {
        this.census = new ProcessCensus(fs);
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
            // Before the look: CPU time is read first, and the waits of hundreds of threads can take milliseconds.
            long time = System.nanoTime() - launchNanos;
            part.read()
                    .ifPresent(usage -> writer.append(new PartSample(time, name, usage.cpuNanos(), usage.waitNanos())));
        });
    }

    /** How many processes a part consists of; 0 for one that is not watched. */
    int processes(String part) {
        PartMeter meter = meters.get(part);
        return meter == null ? 0 : meter.size();
    }

    @Override
    public void close() {
        meters.values().forEach(PartMeter::close);
    }
}
