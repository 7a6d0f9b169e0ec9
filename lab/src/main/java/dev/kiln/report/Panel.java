package dev.kiln.report;

import dev.kiln.explain.Curves;
import java.util.List;
import java.util.function.Predicate;

/**
 * One picture of the timeline.
 *
 * @param id as the script knows it
 * @param all whether it shows all variants over one another, and not the chosen run alone
 * @param missing where it comes from, said where no run has it
 */
record Panel(String id, String title, String unit, boolean all, Source missing, Predicate<Curves> has) {

    /** What a panel is drawn from, and how to get it. */
    enum Source {
        LOAD("Throughput and latency", "no request was completed."),
        CPU("Requests per CPU-second of the target", "the target's CPU time was not recorded."),
        THREADS("C2's CPU and wait", "no JIT compiler thread was seen: a native program has none."),
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

        Source(String what, String why) {
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
            new Panel(
                    "rate",
                    "Throughput",
                    "requests per second",
                    true,
                    Source.LOAD,
                    c -> !c.load().isEmpty()),
            new Panel(
                    "yield",
                    "Requests per CPU-second of the target",
                    "falls where a request costs more CPU",
                    true,
                    Source.CPU,
                    c -> !c.cpu().isEmpty()),
            new Panel(
                    "p99",
                    "Latency, 99th percentile",
                    "ms, logarithmic",
                    true,
                    Source.LOAD,
                    c -> !c.load().isEmpty()),
            new Panel(
                    "c2",
                    "C2 running and waiting for a CPU",
                    "% of one CPU",
                    false,
                    Source.THREADS,
                    c -> !c.jit().isEmpty()),
            new Panel(
                    "queue",
                    "Compile queue",
                    "methods waiting",
                    false,
                    Source.JVM,
                    c -> !c.inside().queues().isEmpty()),
            new Panel(
                    "levels",
                    "Methods by level",
                    "compiled methods in use",
                    false,
                    Source.JVM,
                    c -> !c.inside().levels().isEmpty()),
            new Panel(
                    "tiers",
                    "Where the time goes",
                    "% of samples, by what ran",
                    false,
                    Source.RECORDING,
                    c -> !c.inside().tiers().isEmpty()),
            new Panel(
                    "compiled",
                    "Longest compilations",
                    "ms, logarithmic, as they ended",
                    false,
                    Source.RECORDING,
                    c -> !c.inside().compilations().isEmpty()),
            new Panel(
                    "deopt",
                    "Deoptimisations",
                    "per second",
                    false,
                    Source.RECORDING,
                    c -> !c.inside().deoptimizations().isEmpty()),
            new Panel(
                    "stops",
                    "Garbage collection and throttling",
                    "ms of each second",
                    false,
                    Source.COUNTERS,
                    c -> !c.inside().collector().isEmpty()
                            || !c.inside().throttled().isEmpty()),
            new Panel(
                    "cache",
                    "Code cache",
                    "% full",
                    false,
                    Source.JVM,
                    c -> !c.inside().codeCache().isEmpty()),
            new Panel(
                    "rss",
                    "Resident set",
                    "MiB",
                    false,
                    Source.MEMORY,
                    c -> !c.memory().isEmpty()));
}
