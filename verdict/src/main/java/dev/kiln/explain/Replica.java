package dev.kiln.explain;

import dev.kiln.explain.Curves.JitPoint;
import dev.kiln.explain.RunDigest.CompilerTail;
import dev.kiln.explain.window.CpuUse;
import dev.kiln.explain.window.Thresholds;
import dev.kiln.explain.window.WindowEvidence;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A Replica is one of several processes that serve behind one address. Who sends the load cannot tell which of them answered,
 * so none has a throughput, a peak or a time to it of its own.
 *
 * @param name of the place in which it ran
 * @param cpu of one CPU that the process used in the second half of the warm-up; empty where that was not recorded
 * @param c2 what C2 got at the end of the load; empty without C2, and where it was seen in less than half of that
 * @param left what C2 had to do at the end of the load
 * @param cleared seconds since the first request from which C2 was quiet to the end of the first load; infinite where it had
 *     work until then, and empty where that is not known
 * @param jit C2's CPU and wait of each second
 */
public record Replica(
        String name,
        OptionalDouble cpu,
        Optional<CpuUse> c2,
        C2AtEnd left,
        OptionalDouble cleared,
        List<JitPoint> jit) {
    /** The time to the peak of one replica is not observable, for this reason. */
    public static final String NO_TIME = "not observable: the load generator cannot tell which replica answered. To see it, send"
            + " the load to one of them alone, by an address of its own";

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

    /** Returns each process of a service that is several; none for any other. */
    static List<Replica> each(List<RunWindows> processes, List<WindowEvidence> late) {
        return processes.size() == 1
                ? List.of()
                : IntStream.range(0, processes.size())
                        .mapToObj(i -> of(processes.get(i), late.get(i)))
                        .toList();
    }

    private static Replica of(RunWindows windows, WindowEvidence late) {
        List<JitPoint> jit = Curves.jitPoints(windows.evidence(), windows.threads(), windows.zeroNanos());
        return new Replica(
                windows.evidence().place(),
                late.target()
                        .map(use -> OptionalDouble.of(use.cpu()))
                        .orElseGet(OptionalDouble::empty),
                late.c2(),
                left(late),
                CurveFigures.c2Cleared(
                        jit,
                        windows.phases().stream()
                                .mapToDouble(load -> (load.endNanos() - load.startNanos()) / 1e9)
                                .findFirst()
                                .orElse(0)),
                jit);
    }

    private static C2AtEnd left(WindowEvidence late) {
        if (late.starvedC2().isPresent()) {
            return C2AtEnd.STARVED;
        }
        return late.c2()
                .map(use -> use.demand() < Thresholds.QUIET_DEMAND ? C2AtEnd.QUIET : C2AtEnd.BUSY)
                .orElse(C2AtEnd.UNSEEN);
    }

    /** Returns what the compilers did at the end of the load: C2 was starved if that of one process was. */
    static CompilerTail tail(List<WindowEvidence> processes) {
        List<CompilerTail> each = processes.stream().map(CompilerTail::of).toList();
        if (each.size() == 1) {
            return each.getFirst();
        }
        String starved = processes.stream()
                .flatMap(late -> CompilerTail.of(late).starved().stream()
                        .map(words -> "in " + late.evidence().place() + ", " + words))
                .collect(Collectors.joining(", and "));
        return new CompilerTail(
                each.stream().allMatch(CompilerTail::observed),
                starved.isEmpty() ? Optional.empty() : Optional.of(starved));
    }

    /** Returns in one sentence what is known of it. */
    public String words() {
        String used = cpu.isPresent()
                ? String.format(Locale.ROOT, "used %.0f %% of one CPU", 100 * cpu.getAsDouble())
                : "its CPU was not recorded";
        String quiet = cleared.isEmpty() || Double.isInfinite(cleared.getAsDouble())
                ? ""
                : String.format(Locale.ROOT, ", quiet from second %.0f on", cleared.getAsDouble());
        return name + ": " + used + "; C2 was " + left.text() + " at the end of the load"
                + c2.map(use -> " (" + use.words("it") + ")").orElse("") + quiet;
    }
}
