package dev.kiln.run;

import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Variant.Observe;
import dev.kiln.model.experiment.Variant.Observe.RecordingChoice;
import dev.kiln.plan.ObserverEffect;
import picocli.CommandLine.Option;

/**
 * ObserveOptions choose the instruments that observe the target from within: JIT queries, thread dumps,
 * flight recorder, profiler.
 */
final class ObserveOptions {
    @Option(
            names = "--no-jit-queries",
            description = "Do not ask the JVM for its compile queues, methods by level and code cache.")
    private boolean noJitQueries;

    @Option(names = "--no-thread-dumps", description = "Do not dump the JVM's threads near the ends of loads.")
    private boolean noThreadDumps;

    @Option(
            names = "--no-closing-recording",
            description = "Do not record what runs for 5 s more, after all of a variant's first run was measured.")
    private boolean noClosingRecording;

    @Option(names = "--flight-recorder", description = "Launch with a flight recording: the JIT's own account.")
    private boolean flightRecorder;

    @Option(names = "--async-profiler", description = "Launch with async-profiler: interpreter, C1, C2 over time.")
    private boolean asyncProfiler;

    @Option(
            names = "--observer-effect",
            description = "Run the first variant with and without each instrument, and print what they cost.")
    private boolean observerEffect;

    /** Returns the experiment, observed as these options say. */
    Experiment on(Experiment experiment) {
        if (observerEffect) {
            return ObserverEffect.of(experiment);
        }
        return experiment.with(experiment.variants().stream()
                .map(variant -> variant.with(new Observe(
                        !noJitQueries && variant.observe().jit(),
                        !noThreadDumps && variant.observe().threadDumps(),
                        flightRecorder && !variant.observe().flightRecorder()
                                ? RecordingChoice.ON
                                : variant.observe().recording(),
                        asyncProfiler || variant.observe().asyncProfiler(),
                        variant.observe().fullCollections(),
                        !noClosingRecording && variant.observe().closing())))
                .toList());
    }
}
