package dev.kiln.explain;

import dev.kiln.explain.Curves.JitPoint;
import dev.kiln.explain.window.CpuUse;
import dev.kiln.explain.window.LoadSeries;
import dev.kiln.explain.window.Thresholds;
import dev.kiln.explain.window.WindowEvidence;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * A Replica is one of several processes that serve behind one address. Who sends the load cannot tell which of them answered,
 * so none has a throughput, a peak or a time to it of its own.
 *
 * @param name of the place in which it ran
 * @param cpu of one CPU that the process used in the second half of the warm-up; empty where that was not recorded
 * @param c2 what C2 got at the end of the load; empty without C2, and where it was seen in less than half of that
 * @param left what C2 had to do at the end of the load
 * @param waits whether the waits of its threads were recorded; else all of them are zero here
 * @param cleared seconds since the first request from which C2 was quiet to the end of the first load; infinite where it had
 *     work until then, and empty where that is not known
 * @param jit C2's CPU and wait of each second
 */
public record Replica(
        String name,
        OptionalDouble cpu,
        Optional<CpuUse> c2,
        C2AtEnd left,
        boolean waits,
        OptionalDouble cleared,
        List<JitPoint> jit) {
    /** The time to the peak of one replica is not observable, for this reason. */
    public static final String NO_TIME =
            "not observable: the load generator cannot tell which replica answered. To see it, send"
                    + " the load to one of them alone, by an address of its own";

    /** C2 must be quiet for at least this long to count as done. */
    private static final int LEAST_SECONDS = 5;

    /** A C2AtEnd is what C2 had to do at the end of the load. */
    public enum C2AtEnd {
        STARVED("starved"),
        BUSY("busy"),
        QUIET("quiet"),
        UNSEEN("not recorded");

        private final String text;

        C2AtEnd(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    public Replica {
        jit = List.copyOf(jit);
    }

    /**
     * Returns each process of a service that is several; none for any other.
     *
     * @param late the second half of the warm-up of each
     */
    static List<Replica> each(List<RunWindows> processes, List<WindowEvidence> late) {
        return processes.size() == 1
                ? List.of()
                : IntStream.range(0, processes.size())
                        .mapToObj(i -> of(processes.get(i), late.get(i)))
                        .toList();
    }

    private static Replica of(RunWindows windows, WindowEvidence late) {
        List<JitPoint> jit = Curves.jitPoints(windows.evidence(), windows.threads(), windows.zeroNanos());
        double first = windows.phases().stream()
                .mapToDouble(Replica::seconds)
                .findFirst()
                .orElse(0);
        return new Replica(
                windows.evidence().place(),
                late.target().map(use -> OptionalDouble.of(use.cpu())).orElseGet(OptionalDouble::empty),
                late.c2(),
                left(late),
                late.waitsRecorded(),
                late.waitsRecorded() ? cleared(jit, first) : OptionalDouble.empty(),
                jit);
    }

    /**
     * Returns when C2 had worked off its queue; empty without a C2 at work, or with over a second unseen.
     *
     * @param length of the first load, in seconds
     */
    static OptionalDouble cleared(List<JitPoint> all, double length) {
        List<Forecaster.Second> seconds = all.stream()
                .filter(point -> point.second() >= 0 && point.second() + 1 <= length)
                .map(point -> new Forecaster.Second(point.c2Cpu(), point.c2Wait()))
                .toList();
        boolean seen = seconds.size() >= Math.max(LEAST_SECONDS, Math.floor(length) - 1);
        if (!seen || all.stream().allMatch(point -> point.c2Cpu() == 0)) {
            return OptionalDouble.empty();
        }
        OptionalInt cleared = Forecaster.cleared(seconds, LEAST_SECONDS);
        return OptionalDouble.of(cleared.isPresent() ? cleared.getAsInt() : Double.POSITIVE_INFINITY);
    }

    private static double seconds(LoadSeries load) {
        return (load.endNanos() - load.startNanos()) / 1e9;
    }

    private static C2AtEnd left(WindowEvidence late) {
        if (late.starvedC2().isPresent()) {
            return C2AtEnd.STARVED;
        }
        return late.c2()
                .map(use -> use.demand() >= Thresholds.QUIET_DEMAND
                        ? C2AtEnd.BUSY
                        : late.waitsRecorded() ? C2AtEnd.QUIET : C2AtEnd.UNSEEN)
                .orElse(C2AtEnd.UNSEEN);
    }

    /** Returns how many of its C2 threads waited for a CPU at the end of the load; empty where that is not known. */
    public Optional<Double> c2Waiting() {
        return c2.filter(use -> waits).map(CpuUse::waiting);
    }

    /** Returns in one sentence what is known of it. */
    public String words() {
        String used = cpu.isPresent()
                ? String.format(Locale.ROOT, "used %.0f %% of one CPU", 100 * cpu.getAsDouble())
                : "its CPU was not recorded";
        String quiet = cleared.isEmpty() || Double.isInfinite(cleared.getAsDouble())
                ? ""
                : String.format(Locale.ROOT, ", quiet from second %.0f on", cleared.getAsDouble());
        String work = left == C2AtEnd.UNSEEN
                ? "what C2 had to do at the end of the load was not recorded"
                : "C2 was " + left.text() + " at the end of the load";
        return name + ": " + used + "; " + work
                + c2.map(use -> " (" + got(use) + ")").orElse("") + quiet;
    }

    private String got(CpuUse use) {
        return waits
                ? use.words("it")
                : String.format(
                        Locale.ROOT, "it got %.1f %% of a CPU, and its wait for one was not recorded", 100 * use.cpu());
    }
}
