package dev.kiln.startup;

import dev.kiln.model.CpuAssignment;
import dev.kiln.model.experiment.StartupSpec;
import dev.kiln.model.run.Course.StartPhase;
import dev.kiln.model.run.Machine;
import dev.kiln.model.run.StartupEvidence;
import dev.kiln.model.run.StartupEvidence.StartDesign;
import dev.kiln.model.run.StartupEvidence.StartMachine;
import dev.kiln.model.run.StartupEvidence.StartMeasure;
import dev.kiln.model.run.StartupEvidence.StartOrigin;
import dev.kiln.model.run.StartupEvidence.StartSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Ten pairs of two builds, as their logs tell them. */
public final class StartupSamples {
    private static final double[] OLD = {900, 544, 554, 550, 571, 550, 552, 568, 554, 551, 556};
    private static final double[] NEW = {880, 512, 525, 508, 515, 506, 515, 510, 517, 506, 508};

    private StartupSamples() {}

    public static StartupEvidence evidence() {
        List<StartSample> samples = new ArrayList<>();
        for (int i = 0; i < OLD.length; i++) {
            samples.add(sample(i + 1, 0, OLD[i], List.of()));
            samples.add(sample(
                    i + 1,
                    1,
                    NEW[i],
                    List.of(
                            new StartPhase("SC Load Time", (202L + i) * 1_000_000),
                            new StartPhase("find cached code", i % 2 == 0 ? 0 : 7_000_000))));
        }
        return new StartupEvidence(
                new StartOrigin(StartupEvidence.SCHEMA_VERSION, "1.0", 1_767_323_045_000L),
                List.of(
                        new StartupSpec.StartSide(
                                "A", List.of("java", "-Dtoken=abc", "-jar", "old.jar"), Optional.empty()),
                        new StartupSpec.StartSide("B", List.of("java", "-jar", "new.jar"), Optional.empty())),
                new StartMeasure("the number of 'in (\\d+) ms' in its output", "number in the log", "ms"),
                new StartDesign(10, 1, OptionalLong.empty(), false),
                new StartMachine(
                        2_500_000,
                        new Machine.HostInfo("6.1", "a CPU", 4, 1L << 34, "EEVDF", Map.of()),
                        new CpuAssignment(List.of(0, 1), List.of(2), List.of(3), true, List.of())),
                Optional.empty(),
                samples);
    }

    /** With a third that takes 8 ms more than the second. */
    static StartupResult three() {
        StartupEvidence two = evidence();
        List<StartSample> samples = new ArrayList<>(two.samples());
        for (int i = 0; i < NEW.length; i++) {
            samples.add(sample(i + 1, 2, NEW[i] + 8, List.of()));
        }
        List<StartupSpec.StartSide> sides = new ArrayList<>(two.sides());
        sides.add(new StartupSpec.StartSide(
                "C", List.of("env", "PORT=${port}", "java", "-jar", "new.jar"), Optional.of("cpus: 1")));
        return new StartupAssessment(0.05).of(of(sides, samples));
    }

    /** The same with other commands and starts. */
    static StartupEvidence of(List<StartupSpec.StartSide> sides, List<StartSample> samples) {
        StartupEvidence two = evidence();
        return new StartupEvidence(
                two.origin(), sides, two.measure(), two.design(), two.machine(), two.failure(), samples);
    }

    private static StartSample sample(int pair, int side, double value, List<StartPhase> phases) {
        return new StartSample(
                pair,
                side,
                value,
                Math.round(value * 1.1e6),
                OptionalLong.of(megabytes(100 + side * 12 + pair % 3)),
                OptionalLong.of(Math.round(value * 1.5e6)),
                phases);
    }

    private static long megabytes(int number) {
        return (long) number << 20;
    }

    static StartupResult result() {
        return new StartupAssessment(0.05).of(evidence());
    }
}
