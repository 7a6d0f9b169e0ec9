package dev.kiln.report;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** The last minute of a living JVM, a value a second; NaN where there was none. For use by one thread. */
public final class DoctorHistory {
    private static final int SECONDS = 60;

    final List<Double> cpu = new ArrayList<>();
    final List<Double> c2Cpu = new ArrayList<>();
    final List<Double> c2Wait = new ArrayList<>();
    final List<Double> queue = new ArrayList<>();
    final List<Double> level4 = new ArrayList<>();

    /** The next second. */
    public void add(
            OptionalDouble ofCpu,
            OptionalDouble ofC2Cpu,
            OptionalDouble ofC2Wait,
            OptionalDouble ofQueue,
            OptionalDouble ofLevel4) {
        put(cpu, ofCpu);
        put(c2Cpu, ofC2Cpu);
        put(c2Wait, ofC2Wait);
        put(queue, ofQueue);
        put(level4, ofLevel4);
    }

    private static void put(List<Double> series, OptionalDouble value) {
        series.add(value.orElse(Double.NaN));
        if (series.size() > SECONDS) {
            series.removeFirst();
        }
    }
}
