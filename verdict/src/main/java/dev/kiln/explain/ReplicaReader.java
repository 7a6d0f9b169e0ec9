package dev.kiln.explain;

import dev.kiln.explain.Curves.JitPoint;
import dev.kiln.explain.Replica.C2AtEnd;
import dev.kiln.explain.window.LoadSeries;
import dev.kiln.explain.window.Thresholds;
import dev.kiln.explain.window.WindowEvidence;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** A ReplicaReader finds what is to be said of each of several processes that serve together. */
final class ReplicaReader {
    private ReplicaReader() {}

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
                .mapToDouble(ReplicaReader::seconds)
                .findFirst()
                .orElse(0);
        return new Replica(
                windows.evidence().place(),
                late.target().map(use -> OptionalDouble.of(use.cpu())).orElseGet(OptionalDouble::empty),
                late.c2(),
                left(late),
                late.waitsRecorded(),
                late.waitsRecorded() ? CurveFigures.c2Cleared(jit, first) : OptionalDouble.empty(),
                jit);
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
}
