package dev.kiln.explain;

import dev.kiln.explain.window.Recorded;
import dev.kiln.explain.window.ThreadTimes;
import dev.kiln.explain.window.Window;
import dev.kiln.explain.window.WindowStatistics;
import dev.kiln.explain.window.WindowStatisticsBuilder;
import dev.kiln.model.Metric;
import dev.kiln.model.experiment.Claim.Stretch;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.RunEvidence;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** A RunPart is what a claim can ask of a part of a run: responses per second, and what was seen. */
public record RunPart(OptionalDouble throughput, WindowStatistics seen) {
    private static final long SECOND = 1_000_000_000L;

    /** Reads a part of a run; empty where the run has no such part, or ended before its end. */
    static Optional<RunPart> of(RunEvidence evidence, Stretch stretch) {
        return window(evidence, stretch).map(window -> {
            RunEvidence seen = Recorded.in(evidence, window);
            return new RunPart(
                    throughput(evidence.load(), window),
                    new WindowStatisticsBuilder(seen, ThreadTimes.of(seen), window).build());
        });
    }

    private static Optional<Window> window(RunEvidence evidence, Stretch stretch) {
        List<PhaseTime> loads = evidence.info().phases().stream()
                .filter(phase -> phase.load() && phase.endNanos().isPresent())
                .toList();
        if (loads.isEmpty()) {
            return Optional.empty();
        }
        long begin = loads.getFirst().startNanos();
        long end = loads.getFirst().endNanos().orElseThrow();
        long half = begin + (end - begin) / 2;
        return switch (stretch) {
            case Stretch.Named named ->
                switch (named) {
                    case START_UP -> Optional.of(new Window(0, begin));
                    case WARMUP -> Optional.of(new Window(begin, end));
                    case FIRST_HALF -> Optional.of(new Window(begin, half));
                    case SECOND_HALF -> Optional.of(new Window(half, end));
                    case AFTER_PAUSE -> loads.stream().skip(1).findFirst().map(RunPart::window);
                    case MEASURE -> Optional.of(window(loads.getLast())).filter(window -> loads.size() > 1);
                };
            case Stretch.Seconds seconds -> {
                Window asked = new Window(
                        begin + Math.round(SECOND * seconds.from()), begin + Math.round(SECOND * seconds.to()));
                // A pause has no load, and its seconds would count for some figures and not for others.
                yield loads.stream()
                        .map(RunPart::window)
                        .filter(load -> load.fromNanos() <= asked.fromNanos() && asked.toNanos() <= load.toNanos())
                        .findFirst()
                        .map(load -> asked);
            }
        };
    }

    private static Window window(PhaseTime load) {
        return new Window(load.startNanos(), load.endNanos().orElseThrow());
    }

    private static OptionalDouble throughput(List<LoadBin> load, Window window) {
        List<LoadBin> within = load.stream()
                .filter(bin -> bin.startNanos() >= window.fromNanos() && bin.endNanos() <= window.toNanos())
                .toList();
        long nanos = within.stream()
                .mapToLong(bin -> bin.endNanos() - bin.startNanos())
                .sum();
        return nanos == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                        within.stream().mapToLong(LoadBin::completed).sum() / (nanos / 1e9));
    }

    /** Returns the metric over this part, in the metric's unit; only metrics that are defined for parts have one. */
    public OptionalDouble figure(Metric metric) {
        return switch (metric) {
            case THROUGHPUT -> throughput;
            case COMPILATIONS -> seen.jit().compiled().compilations();
            case NOT_ENTRANT -> seen.jit().notEntrant().became();
            default -> RunFigures.of(metric, seen);
        };
    }
}
