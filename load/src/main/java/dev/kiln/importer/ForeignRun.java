package dev.kiln.importer;

import dev.kiln.evidence.LoadFile;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.run.Course;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.Machine;
import dev.kiln.model.run.Provenance;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Treatment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/** A ForeignRun is a run that Kiln did not launch, of which most is not known, perhaps an offered rate. */
record ForeignRun(
        String kilnVersion,
        Name name,
        Phases phases,
        Provenance provenance,
        Machine.HostInfo host,
        OptionalDouble rate,
        List<String> notes) {
    /** A Name says which run it is, with its number, and the number of runs, in its variant. */
    record Name(String experiment, List<String> variants, String variant, int run, int runs) {}

    static final Machine.HostInfo UNKNOWN_HOST = host("unknown", 0);

    static Machine.HostInfo host(String kernel, int cpus) {
        return new Machine.HostInfo(kernel, "unknown", cpus, 0, "unknown", Map.of());
    }

    /** @param driver what sent the load */
    RunInfo info(
            long launchEpochMillis, String driver, OptionalLong readyNanos, List<RunInfo.NotRecorded> notRecorded) {
        return new RunInfo(
                kilnVersion,
                new RunInfo.Which(name.experiment(), name.variants(), name.variant(), name.run(), 0, 0),
                new RunInfo.Launch(0, launchEpochMillis, List.of(), Map.of(), Treatment.NONE, Optional.empty()),
                new Machine(
                        Optional.empty(),
                        host,
                        new CpuAssignment(List.of(), List.of(), List.of(), false, List.of()),
                        Optional.empty()),
                new RunInfo.Plan(
                        new LoadSpec(List.of(), 0, rate, Duration.ZERO),
                        phases.protocol(),
                        Runs.fixed(name.runs()),
                        driver,
                        Optional.empty()),
                new Course(
                        readyNanos,
                        OptionalLong.empty(),
                        phases.all(),
                        Course.Outcome.COMPLETED,
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        OptionalLong.empty(),
                        List.of(),
                        Set.of()),
                new RunInfo.Limits(notRecorded, notes, Optional.of(provenance)));
    }

    /** Phases are those of a run as they come; what lies between two of them is a pause. Times are in ns since zero. */
    static final class Phases {
        private static final long SECOND = 1_000_000_000L;

        private final List<PhaseTime> phases = new ArrayList<>();
        private final Set<String> names = new HashSet<>();
        private String current = "";
        private long start;
        private long lastEnd = Long.MIN_VALUE;

        void begin(String name, long startNanos) {
            if (startNanos < lastEnd) {
                throw KilnException.usage(
                        "phase " + name + " begins before phase " + current + " ends",
                        "the phases of a run follow one another: import phases that ran at the same time one by one");
            }
            if (lastEnd != Long.MIN_VALUE && startNanos - lastEnd >= SECOND) {
                phases.add(new PhaseTime(free("pause"), false, lastEnd, OptionalLong.of(startNanos)));
            }
            current = free(valid(name));
            start = startNanos;
            lastEnd = startNanos;
        }

        /** Adds a row to the phase, and returns words about seconds before it that have no row. */
        Optional<String> row(long startNanos, long endNanos) {
            long missing = startNanos - lastEnd;
            if (missing < 0) {
                throw KilnException.usage(
                        "phase " + current + " has rows that overlap or are not in order",
                        "restore the file as its program wrote it");
            }
            lastEnd = endNanos;
            return missing < SECOND
                    ? Optional.empty()
                    : Optional.of(String.format(
                            Locale.ROOT,
                            "phase %s has no row for %d s from its second %d on: Kiln counts them as seconds without requests",
                            current,
                            missing / SECOND,
                            (startNanos - missing - start) / SECOND));
        }

        void end(long endNanos) {
            lastEnd = Math.max(lastEnd, endNanos);
            phases.add(new PhaseTime(current, true, start, OptionalLong.of(lastEnd)));
        }

        String current() {
            return current;
        }

        PhaseTime last() {
            return phases.getLast();
        }

        List<PhaseTime> all() {
            return phases;
        }

        /** Returns the protocol that the phases amount to. */
        Protocol protocol() {
            return new Protocol("imported", phases.stream().map(Phases::planned).toList());
        }

        private static Phase planned(PhaseTime phase) {
            Duration length = Duration.ofMillis((phase.endNanos().orElseThrow() - phase.startNanos()) / 1_000_000);
            return phase.load() ? new Phase.Load(phase.name(), length) : new Phase.Pause(phase.name(), length);
        }

        private String free(String name) {
            String candidate = name;
            for (int i = 2; !names.add(candidate); i++) {
                candidate = name + "-" + i;
            }
            return candidate;
        }

        private static String valid(String name) {
            String plain = name.replaceAll("[,\"#\\s\\p{Cntrl}]", "_");
            return LoadFile.isValidPhaseName(plain) ? plain : "load";
        }
    }
}
