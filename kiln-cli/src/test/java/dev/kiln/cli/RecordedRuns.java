package dev.kiln.cli;

import dev.kiln.evidence.LatencyLog;
import dev.kiln.evidence.LoadFile;
import dev.kiln.evidence.RunWriter;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.run.Course;
import dev.kiln.model.run.Machine;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.MemorySample;
import dev.kiln.model.run.Treatment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import org.HdrHistogram.Histogram;

/**
 * An experiment's folder as {@code kiln run} leaves it: 60 s of load, a pause, 20 s of load; a variant climbs linearly to
 * its peak and stays there.
 */
public record RecordedRuns(
        Path folder, int warmupSeconds, int connections, String cpuModel, Course.Outcome lastOutcome) {
    private static final long SECOND = 1_000_000_000L;
    private static final int PAUSE = 15;
    private static final int MEASURE = 20;

    /** Relative differences between runs, the same in every test. */
    private static final double[] NOISE = {0.004, -0.011, 0.008, -0.003, 0.012, -0.007, 0.001, -0.005};

    public RecordedRuns(Path folder) {
        this(folder, 60, 100, "EPYC", Course.Outcome.COMPLETED);
    }

    /** The second machine has more. */
    private List<Integer> targetCpus() {
        return cpuModel.equals("EPYC") ? List.of(0) : List.of(0, 2);
    }

    /**
     * Writes the runs of a variant.
     *
     * @param rampSeconds until the peak; at least the warm-up's length for a run that never gets there
     * @param peak requests per second
     */
    public RecordedRuns variant(List<String> all, String name, int runs, double rampSeconds, double peak) {
        for (int run = 1; run <= runs; run++) {
            // Blocks are slower or faster as a whole, by more than variants differ within one.
            double block = 1 + 0.02 * NOISE[(run + 3) % NOISE.length] / 0.012;
            double noise = 1 + NOISE[(run * 3 + name.length()) % NOISE.length] / 4;
            boolean last = run == runs;
            write(
                    all,
                    name,
                    run,
                    rampSeconds * noise,
                    peak * block * noise,
                    last ? lastOutcome : Course.Outcome.COMPLETED);
        }
        return this;
    }

    private void write(List<String> all, String name, int run, double ramp, double peak, Course.Outcome outcome) {
        Path directory = folder.resolve(name).resolve(Integer.toString(run));
        try (RunWriter writer = new RunWriter(directory);
                LoadFile load = new LoadFile(directory);
                LatencyLog latency = new LatencyLog(directory, 1000)) {
            phase(load, latency, "warmup", 0, warmupSeconds, ramp, peak);
            phase(load, latency, "measure", (warmupSeconds + PAUSE) * SECOND, MEASURE, 0, peak);
            long end = (warmupSeconds + PAUSE + MEASURE) * SECOND;
            // Looked at seldom: what was by the end is known, and no rate of any second.
            for (long at : new long[] {45 * SECOND, 61 * SECOND, end}) {
                writer.append(new CompilerSample(at, 4000 + 10L * run, 100, 9 * SECOND, 20_000_000, 0, 0));
                writer.append(new MemorySample(
                        at,
                        (512L + run) << 20,
                        500L << 20,
                        3,
                        4,
                        5,
                        6,
                        OptionalLong.empty(),
                        Optional.empty(),
                        Optional.empty()));
            }
            writer.write(info(all, name, run, outcome));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns a table with the peaks of twelve nights, of three runs each.
     *
     * @param apart how much a night's peak is above the one before; each fifth is low again
     */
    public static String nights(int apart) {
        StringBuilder rows = new StringBuilder("session,peak\n");
        for (int night = 0; night < 12; night++) {
            for (int run = 0; run < 3; run++) {
                rows.append("n%d,%d\n".formatted(night, 1000 + apart * (night % 5) + run));
            }
        }
        return rows.toString();
    }

    private static void phase(
            LoadFile load, LatencyLog latency, String phase, long start, int seconds, double ramp, double peak)
            throws IOException {
        for (int bin = 0; bin < seconds * 10; bin++) {
            double level = Math.min(1, ramp == 0 ? 1 : bin / 10.0 / ramp);
            long requests = Math.round(peak / 10 * level) + bin % 2;
            long from = start + bin * SECOND / 10;
            load.write(
                    new LoadBin(phase, from, from + SECOND / 10, requests, requests, LoadBin.Errors.NONE, 100, 1000));
        }
        for (int second = 0; second < seconds; second++) {
            Histogram histogram = new Histogram(3);
            histogram.recordValueWithCount(Math.round(100e9 / peak), 99);
            histogram.recordValueWithCount(Math.round(300e9 / peak), 1);
            latency.write(phase, start + second * SECOND, start + (second + 1) * SECOND, histogram);
        }
    }

    private RunInfo info(List<String> all, String variant, int run, Course.Outcome outcome) {
        long pause = warmupSeconds * SECOND;
        long measure = pause + PAUSE * SECOND;
        return new RunInfo(
                "0.1.0",
                new RunInfo.Which("recorded", all, variant, run, run, 1),
                new RunInfo.Launch(
                        0,
                        // Those of two folders were launched at two times.
                        1_000_000L * run
                                + all.indexOf(variant)
                                + Math.floorMod(folder.getFileName().hashCode(), 1000) * 10L,
                        List.of("java"),
                        Map.of(),
                        Treatment.NONE,
                        Optional.empty()),
                new Machine(
                        Optional.empty(),
                        new Machine.HostInfo("6.18", cpuModel, 4, 24L << 30, "EEVDF", Map.of()),
                        new CpuAssignment(targetCpus(), List.of(1), List.of(1), true, List.of()),
                        Optional.empty()),
                new RunInfo.Plan(
                        new LoadSpec(
                                List.of(HttpCall.get(URI.create("http://localhost:" + (40_000 + run) + "/fruits"))),
                                connections,
                                OptionalDouble.empty(),
                                Duration.ofSeconds(30)),
                        new Protocol(
                                "custom",
                                List.of(
                                        new Phase.Load("warmup", Duration.ofSeconds(warmupSeconds)),
                                        new Phase.Pause("pause", Duration.ofSeconds(PAUSE)),
                                        new Phase.Load("measure", Duration.ofSeconds(MEASURE)))),
                        Runs.fixed(5),
                        "kiln",
                        Optional.empty()),
                new Course(
                        OptionalLong.of(8 * SECOND + run * 10_000_000L),
                        OptionalLong.of(8 * SECOND + run * 20_000_000L),
                        List.of(
                                new Course.PhaseTime("warmup", true, 0, OptionalLong.of(pause)),
                                new Course.PhaseTime("pause", false, pause, OptionalLong.of(measure)),
                                new Course.PhaseTime(
                                        "measure", true, measure, OptionalLong.of(measure + MEASURE * SECOND))),
                        outcome,
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        OptionalLong.empty(),
                        List.of(),
                        Set.of()),
                new RunInfo.Limits(List.of(), List.of(), Optional.empty()));
    }
}
