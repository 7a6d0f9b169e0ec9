package dev.kiln.explain.budget;

import dev.kiln.explain.window.Window;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.Latency.LatencyInterval;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.run.RunEvidence;
import java.util.List;
import java.util.OptionalDouble;

/**
 * InFlight is how many requests were on their way at a time. Over the throughput it is the mean response time: Little's
 * law (Little 1961), L = lambda W.
 */
final class InFlight {
    private final RunEvidence evidence;

    InFlight(RunEvidence evidence) {
        this.evidence = evidence;
    }

    /** Returns the requests completed in a window; bins that it cuts count by their share. */
    double completed(Window window) {
        double requests = 0;
        for (LoadBin bin : evidence.load()) {
            requests += bin.completed() * overlap(window, bin.startNanos(), bin.endNanos());
        }
        return requests;
    }

    /**
     * Returns the mean response time in ms; empty where it is not known. In a closed loop as many requests are in flight as
     * it has connections; with a rate, the generator measured each response, and without its histograms it counted what
     * was in flight.
     */
    OptionalDouble responseMillis(Window window, double requestsPerSecond) {
        if (requestsPerSecond <= 0) {
            return OptionalDouble.empty();
        }
        if (closedLoop()) {
            return OptionalDouble.of(1e3 * evidence.info().load().inFlight() / requestsPerSecond);
        }
        OptionalDouble measured = measured(window);
        return measured.isPresent()
                ? measured
                : counted(window).stream()
                        .map(inFlight -> 1e3 * inFlight / requestsPerSecond)
                        .findFirst();
    }

    private boolean closedLoop() {
        LoadSpec load = evidence.info().load();
        boolean shaped = evidence.info().protocol().phases().stream()
                .anyMatch(
                        phase -> phase instanceof Phase.Load one && one.shape().isPresent());
        return load.offeredRate().isEmpty() && load.replay().isEmpty() && !shaped && load.connections() > 0;
    }

    /** Returns the mean of requests in flight at the ends of bins; empty where the generator counted none. */
    private OptionalDouble counted(Window window) {
        double mean = evidence.load().stream()
                .filter(bin -> bin.startNanos() >= window.fromNanos() && bin.endNanos() <= window.toNanos())
                .mapToLong(LoadBin::backlog)
                .average()
                .orElse(0);
        return mean > 0 ? OptionalDouble.of(mean) : OptionalDouble.empty();
    }

    /** Returns the mean of the latencies that the generator measured; empty where it kept no histograms. */
    private OptionalDouble measured(Window window) {
        List<LatencyInterval> seconds = evidence.latency().seconds().stream()
                .filter(second ->
                        second.histogram().isPresent() && overlap(window, second.startNanos(), second.endNanos()) > 0)
                .toList();
        double requests = seconds.stream()
                .mapToDouble(second -> second.count() * overlap(window, second.startNanos(), second.endNanos()))
                .sum();
        double nanos = seconds.stream()
                .mapToDouble(second -> second.count()
                        * overlap(window, second.startNanos(), second.endNanos())
                        * second.histogram().orElseThrow().meanNanos())
                .sum();
        return requests > 0 ? OptionalDouble.of(nanos / requests / 1e6) : OptionalDouble.empty();
    }

    /** Returns the share of a bin that lies in the window. */
    private static double overlap(Window window, long fromNanos, long toNanos) {
        double common = Math.min(window.toNanos(), toNanos) - Math.max(window.fromNanos(), fromNanos);
        return toNanos > fromNanos ? Math.max(0, common) / (toNanos - fromNanos) : 0;
    }
}
