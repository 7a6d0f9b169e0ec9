package dev.kiln.report.html;

import dev.kiln.explain.Curves;
import dev.kiln.explain.Curves.LoadPoint;
import dev.kiln.explain.Forecaster.Forecast;
import dev.kiln.explain.RunResult;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * A Panel is one picture of the timeline.
 *
 * @param id as the script knows it
 * @param shown which runs it shows
 * @param missing where it comes from, said where no run has it
 */
record Panel(String id, String title, String unit, Shown shown, PanelSource missing, Predicate<RunResult> has) {
    /** Shown says which runs a panel shows. */
    enum Shown {
        /** The panel shows all variants over one another. */
        VARIANTS,

        /** The panel shows all variants, one below the other. */
        ROWS,

        /** The panel shows the chosen run. */
        RUN,

        /** The panel shows the chosen run, with a line for each call of its mix. */
        CALLS
    }

    /** A PanelSource is what a panel is drawn from, and says why it may be missing and how to get it. */
    enum PanelSource {
        LOAD("Throughput and latency", "no request was completed."),
        HISTOGRAM(
                "Percentiles of latency over time",
                "they need a histogram of each second, which Kiln's own load generator keeps."),
        BUDGET(
                "Where the time of a request goes",
                "the threads of the target were not recorded under load, or several replicas served it."),
        CPU("Requests per CPU-second of the target", "the target's CPU time was not recorded."),
        THREADS("C2's CPU and wait", "no JIT compiler thread was seen: a native program has none."),
        COMPILER(
                "Compilations and machine code",
                "the JVM's counters could not be read: they are in its hsperfdata file, which -XX:-UsePerfData leaves out,"
                        + " and only a HotSpot JVM has."),
        JVM(
                "Compile queue, methods by level and code cache",
                "the JVM was not asked, or did not answer. Kiln asks a HotSpot JVM of its own user over the attach"
                        + " socket, which -XX:+DisableAttachMechanism closes."),
        RECORDING(
                "Share of samples by tier, single compilations and deoptimisations",
                "they come from a flight recording: observe: {flight-recorder: on} in the experiment file, or"
                        + " --flight-recorder."),
        COUNTERS("Collector and throttling", "neither the JVM's counters nor the cgroup's could be read."),
        MEMORY("Resident set", "memory was not recorded.");

        private final String what;
        private final String why;

        PanelSource(String what, String why) {
            this.what = what;
            this.why = why;
        }

        String what() {
            return what;
        }

        String why() {
            return why;
        }
    }

    static final List<Panel> ALL = List.of(
            ofAll("rate", "Throughput", "requests per second", PanelSource.LOAD, Curves::load),
            new Panel(
                    "budget",
                    "Where the time of a request goes",
                    "ms by part, a row for each variant",
                    Shown.ROWS,
                    PanelSource.BUDGET,
                    run -> !run.budgets().curve().seconds().isEmpty()),
            ofRows("c2all", "C2's CPU and wait of each variant", "% of one CPU", PanelSource.THREADS, Curves::jit),
            ofRows(
                    "cpuall",
                    "The target's user and system time",
                    "% of one CPU, a row for each variant",
                    PanelSource.CPU,
                    Curves::modes),
            ofAll(
                    "yield",
                    "Requests per CPU-second of the target",
                    "falls where a request costs more CPU",
                    PanelSource.CPU,
                    Curves::cpu),
            ofAll("p99", "Latency, 99th percentile", "ms, logarithmic", PanelSource.LOAD, Curves::load),
            new Panel(
                    "times",
                    "Latency, percentiles of the run",
                    "ms, logarithmic",
                    Shown.RUN,
                    PanelSource.HISTOGRAM,
                    run -> run.curves().load().stream()
                            .anyMatch(point -> Double.isFinite(point.times().p95Millis()))),
            new Panel(
                    "errors",
                    "Errors",
                    "per second",
                    Shown.VARIANTS,
                    PanelSource.LOAD,
                    run -> run.curves().load().stream().anyMatch(point -> point.errors() > 0)),
            ofCalls("calls", "Throughput of each call", "requests per second", LoadPoint::requestsPerSecond),
            ofCalls("calls99", "Latency of each call, 99th percentile", "ms, logarithmic", LoadPoint::p99Millis),
            ofRun("c2", "C2 running and waiting for a CPU", "% of one CPU", PanelSource.THREADS, Curves::jit),
            new Panel(
                    "forecast",
                    "When C2 would be done at the earliest",
                    "seconds since the first request",
                    Shown.RUN,
                    PanelSource.THREADS,
                    run -> run.explanation().forecasts().stream().anyMatch(Forecast::tells)),
            ofRun(
                    "queue",
                    "Compile queue",
                    "methods waiting",
                    PanelSource.JVM,
                    c -> c.inside().jit().queues()),
            ofRun("compiles", "Compilations", "per second", PanelSource.COMPILER, Curves::compiler),
            ofRun(
                    "levels",
                    "Methods by level",
                    "compiled methods in use",
                    PanelSource.JVM,
                    c -> c.inside().code().levels()),
            ofRun(
                    "tiers",
                    "Where the time goes",
                    "% of samples, by what ran",
                    PanelSource.RECORDING,
                    c -> c.inside().code().tiers()),
            ofRun(
                    "compiled",
                    "Longest compilations",
                    "ms, logarithmic, as they ended",
                    PanelSource.RECORDING,
                    c -> c.inside().jit().compilations()),
            ofRun(
                    "deopt",
                    "Deoptimisations",
                    "per second",
                    PanelSource.RECORDING,
                    c -> c.inside().jit().deoptimizations()),
            ofRun(
                    "stops",
                    "Garbage collection and throttling",
                    "ms of each second",
                    PanelSource.COUNTERS,
                    c -> Stream.concat(c.inside().collector().stream(), c.inside().throttled().stream())
                            .toList()),
            ofRun("code", "Machine code", "MB, produced since the launch", PanelSource.COMPILER, Curves::compiler),
            ofRun(
                    "cache",
                    "Code cache",
                    "% full",
                    PanelSource.JVM,
                    c -> c.inside().code().codeCache()),
            ofRun("rss", "Resident set", "MiB", PanelSource.MEMORY, Curves::memory));

    /** Returns a panel that shows all variants over one another. */
    private static Panel ofAll(
            String id, String title, String unit, PanelSource missing, Function<Curves, List<?>> points) {
        return of(id, title, unit, Shown.VARIANTS, missing, points);
    }

    /** Returns a panel that shows all variants, one below the other. */
    private static Panel ofRows(
            String id, String title, String unit, PanelSource missing, Function<Curves, List<?>> points) {
        return of(id, title, unit, Shown.ROWS, missing, points);
    }

    /** Returns a panel that shows the chosen run, with a line for each call of its mix. */
    private static Panel ofCalls(String id, String title, String unit, ToDoubleFunction<LoadPoint> value) {
        return new Panel(
                id,
                title,
                unit,
                Shown.CALLS,
                PanelSource.LOAD,
                run -> run.calls().stream()
                        .flatMap(call -> call.load().curve().stream())
                        .anyMatch(point -> !Double.isNaN(value.applyAsDouble(point))));
    }

    /** Tells whether the panel shows all variants, and not the chosen run alone. */
    boolean all() {
        return shown == Shown.VARIANTS || shown == Shown.ROWS;
    }

    boolean isOfCalls() {
        return shown == Shown.CALLS;
    }

    boolean isOfRows() {
        return shown == Shown.ROWS;
    }

    /** Returns a panel that shows the chosen run. */
    private static Panel ofRun(
            String id, String title, String unit, PanelSource missing, Function<Curves, List<?>> points) {
        return of(id, title, unit, Shown.RUN, missing, points);
    }

    private static Panel of(
            String id, String title, String unit, Shown shown, PanelSource missing, Function<Curves, List<?>> points) {
        return new Panel(
                id,
                title,
                unit,
                shown,
                missing,
                run -> !points.apply(run.curves()).isEmpty());
    }
}
