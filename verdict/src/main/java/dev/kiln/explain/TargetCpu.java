package dev.kiln.explain;

import dev.kiln.explain.window.Counter;
import dev.kiln.explain.window.LoadSeries;
import dev.kiln.explain.window.Window;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.FlightDigest.HeapChange;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.CpuSample;
import dev.kiln.model.run.Sample.PartSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** TargetCpu is the CPU time of the target, and what it allocated, with the requests of the same time. */
public final class TargetCpu {
    private static final long SECOND = 1_000_000_000L;
    private static final double KIB = 1024;

    /** Rows around a bin may span this much more than the bin: they are a second apart, and one may be missing. */
    private static final long MOST_AROUND = 3 * SECOND;

    /**
     * A CpuPoint is the target's CPU around one second of load: over the shortest time between two recorded rows that
     * covers it, so that requests and CPU are of the same time.
     *
     * @param requests successful responses per second
     * @param used CPU seconds of the target, all its threads and children, per second
     * @param idle idle CPU seconds per second of the CPUs that the target may use; NaN where not recorded
     */
    public record CpuPoint(String phase, double second, double requests, double used, double idle) {
        /** A target needs this CPU per second for a ratio: below it, two steps of 10 ms would be over a tenth. */
        private static final double LEAST_USED = 0.05;

        /** Returns requests per CPU-second; NaN where the target used too little CPU. */
        public double requestsPerCpuSecond() {
            return used < LEAST_USED ? Double.NaN : requests / used;
        }
    }

    private final Counter used;
    /** The list has the idle time of each CPU that the target may use. */
    private final List<Counter> idle;

    private final List<LoadBin> load;
    private final List<HeapChange> heap;

    private TargetCpu(Counter used, List<Counter> idle, List<LoadBin> load, List<HeapChange> heap) {
        this.used = used;
        this.idle = idle;
        this.load = load;
        this.heap = heap;
    }

    /**
     * Returns the CPU time of all processes that served the load. What was idle beside them, and what they allocated, is known of one
     * alone.
     */
    static TargetCpu of(RunEvidence evidence) {
        Counter used = used(evidence);
        for (RunEvidence replica : evidence.replicas()) {
            used = used.plus(used(replica), evidence.ahead(replica));
        }
        CpuAssignment cpus = evidence.info().cpus();
        TreeMap<Integer, List<CpuSample>> its = new TreeMap<>();
        for (CpuSample sample : evidence.cpus()) {
            if (!evidence.sent().shared() && (!cpus.pinned() || cpus.target().contains(sample.cpu()))) {
                its.computeIfAbsent(sample.cpu(), cpu -> new ArrayList<>()).add(sample);
            }
        }
        return new TargetCpu(
                used,
                its.values().stream()
                        .map(one -> new Counter(
                                one.stream().mapToLong(CpuSample::timeNanos).toArray(),
                                one.stream().mapToDouble(CpuSample::idleNanos).toArray()))
                        .toList(),
                evidence.load(),
                evidence.flight()
                        .filter(flight -> !evidence.sent().shared())
                        .map(flight -> flight.collector().heap())
                        .orElse(List.of()));
    }

    private static Counter used(RunEvidence evidence) {
        return Counter.of(
                evidence.parts().stream()
                        .filter(sample -> sample.part().equals("target"))
                        .toList(),
                PartSample::timeNanos,
                PartSample::cpuNanos);
    }

    /** Returns a point for each bin that lies half or more between rows of its phase: pauses do not count. */
    List<CpuPoint> points(List<LoadSeries> phases, long zeroNanos) {
        List<CpuPoint> points = new ArrayList<>();
        for (LoadSeries phase : phases) {
            Counter requests = requests(phase.phase());
            long bin = Math.round(phase.binSeconds() * SECOND);
            for (int i = 0; i < phase.bins(); i++) {
                long start = phase.startNanos() + i * bin;
                Window rows = used.rows(start, start + bin, new Window(phase.startNanos(), phase.endNanos()));
                long covered = Math.min(rows.toNanos(), start + bin) - Math.max(rows.fromNanos(), start);
                if (2 * covered >= bin && rows.toNanos() - rows.fromNanos() <= bin + MOST_AROUND) {
                    points.add(new CpuPoint(
                            phase.phase(),
                            (start - zeroNanos) / 1e9,
                            requests.rate(rows) * SECOND,
                            used.rate(rows),
                            idle.isEmpty()
                                    ? Double.NaN
                                    : idle.stream()
                                            .mapToDouble(cpu -> cpu.rate(rows))
                                            .sum()));
                }
            }
        }
        return points;
    }

    /** Returns the CPU per request in us of a phase without its first second; empty where rows miss most of it. */
    OptionalDouble perRequestMicros(String phase) {
        Counter requests = requests(phase);
        if (requests.isEmpty()) {
            return OptionalDouble.empty();
        }
        long start = requests.firstNanos();
        long end = requests.lastNanos();
        long first = end - start > 2 * SECOND ? start + SECOND : start;
        Window whole = used.rows(first, end, new Window(first, end));
        double served = requests.rate(whole);
        return served > 0 && 2 * (whole.toNanos() - whole.fromNanos()) >= end - first
                ? OptionalDouble.of(used.rate(whole) / served / 1e3)
                : OptionalDouble.empty();
    }

    /** Returns the KiB allocated per request, between the first and the last collection of a phase. */
    OptionalDouble allocationPerRequest(String phase) {
        Counter requests = requests(phase);
        double allocated = 0;
        double served = 0;
        Optional<HeapChange> before = Optional.empty();
        for (HeapChange change : heap) {
            double now = requests.at(change.timeNanos());
            if (!Double.isNaN(now)) {
                allocated += before.isEmpty()
                        ? 0
                        : change.beforeBytes() - before.get().afterBytes();
                served += before.isEmpty() ? 0 : now - requests.at(before.get().timeNanos());
                before = Optional.of(change);
            }
        }
        return served > 0 && allocated > 0 ? OptionalDouble.of(allocated / served / KIB) : OptionalDouble.empty();
    }

    private Counter requests(String phase) {
        List<LoadBin> bins =
                load.stream().filter(bin -> bin.phase().equals(phase)).toList();
        long[] times = new long[bins.isEmpty() ? 0 : bins.size() + 1];
        double[] completed = new double[times.length];
        for (int i = 0; i < bins.size(); i++) {
            times[i] = i == 0 ? bins.getFirst().startNanos() : times[i];
            times[i + 1] = bins.get(i).endNanos();
            completed[i + 1] = completed[i] + bins.get(i).completed();
        }
        return new Counter(times, completed);
    }
}
