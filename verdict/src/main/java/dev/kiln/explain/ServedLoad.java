package dev.kiln.explain;

import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.load.Latency.PhaseLatency;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Course.Handshakes;
import dev.kiln.model.run.Course.Hung;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo.NotRecorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A ServedLoad is what was sent in a run, and what became of it.
 *
 * @param requests successful responses in all load phases
 * @param errors failed requests in all load phases; empty where the load generator's files do not count them
 * @param responses how fast it answered, where a rate or a latency to keep was asked for
 * @param handshakes of all phases; empty without TLS
 * @param hung at the ends of all loads; empty where the load generator does not tell
 * @param searchEnd how the search for the peak ended; empty without one
 */
public record ServedLoad(
        long requests,
        Optional<LoadBin.Errors> errors,
        List<PhaseSummary> phases,
        Optional<ResponseTimes> responses,
        Optional<Handshakes> handshakes,
        Optional<Hung> hung,
        Optional<FoundReference.End> searchEnd) {
    /** This load is that of a run in which none was sent. */
    public static final ServedLoad NONE = new ServedLoad(
            0,
            Optional.of(LoadBin.Errors.NONE),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    static ServedLoad of(RunEvidence evidence, Optional<ResponseTimes> responses) {
        return new ServedLoad(
                evidence.load().stream().mapToLong(LoadBin::completed).sum(),
                evidence.info().gap(NotRecorded.ERRORS).isPresent()
                        ? Optional.empty()
                        : Optional.of(evidence.load().stream()
                                .map(LoadBin::errors)
                                .reduce(LoadBin.Errors.NONE, LoadBin.Errors::plus)),
                summaries(evidence),
                responses,
                evidence.info().handshakes(),
                evidence.info().hung(),
                evidence.info().course().referenceEnd());
    }

    /**
     * Returns the response times where all that was offered was served, at the end of the warm-up and after the pause:
     * then throughput is that of the rate, the recording, or the users, and shows no peak. Whoever has to know it asks
     * here.
     */
    Optional<ResponseTimes> all() {
        return responses.filter(ResponseTimes::allServed);
    }

    /** Returns how many rounds the search for the peak had. */
    public long searchRounds() {
        return phases.stream()
                .filter(phase -> FoundReference.round(phase.name()) > 0)
                .count();
    }

    public Optional<PhaseSummary> firstLoad() {
        return phases.stream().filter(PhaseSummary::load).findFirst();
    }

    double firstLoadSeconds() {
        return firstLoad().map(PhaseSummary::durationSeconds).orElse(0.0);
    }

    /** Returns the last phase under load: the measuring phase, where there is one. */
    public Optional<PhaseSummary> lastLoad() {
        return phases.stream().filter(PhaseSummary::load).reduce((first, second) -> second);
    }

    private static List<PhaseSummary> summaries(RunEvidence evidence) {
        List<PhaseSummary> result = new ArrayList<>();
        TargetCpu cpu = TargetCpu.of(evidence);
        for (PhaseTime phase : evidence.info().phases()) {
            List<LoadBin> bins = evidence.load().stream()
                    .filter(bin -> bin.phase().equals(phase.name()))
                    .toList();
            long recordedEnd =
                    bins.isEmpty() ? phase.startNanos() : bins.getLast().endNanos();
            List<Double> loops = phase.loops().orElse(List.of());
            result.add(new PhaseSummary(
                    phase.name(),
                    phase.load(),
                    phase.startNanos() / 1e9,
                    (phase.endNanos().orElse(recordedEnd) - phase.startNanos()) / 1e9,
                    bins.stream().mapToLong(LoadBin::completed).sum(),
                    evidence.latency().phases().stream()
                            .filter(latency -> latency.phase().equals(phase.name()))
                            .findFirst(),
                    phase.load()
                            ? new PhaseCost(
                                    cpu.perRequestMicros(phase.name()), cpu.allocationPerRequest(phase.name()), loops)
                            : new PhaseCost(OptionalDouble.empty(), OptionalDouble.empty(), loops)));
        }
        return result;
    }

    /** A PhaseSummary is a load or pause phase as it was, its start in s since launch, requests successful. */
    public record PhaseSummary(
            String name,
            boolean load,
            double startSeconds,
            double durationSeconds,
            long requests,
            Optional<PhaseLatency> latency,
            PhaseCost cost) {
        /** Returns successful responses per second; 0 in a pause. */
        public double throughput() {
            return durationSeconds > 0 ? requests / durationSeconds : 0;
        }
    }

    /**
     * A PhaseCost is what the responses of a phase took.
     *
     * @param cpuPerRequestMicros CPU of the target per successful response, without the phase's first second; empty in a
     *     pause, and where it was not recorded
     * @param allocationPerRequest KiB that the target allocated per successful response, between the first and the last
     *     collection of the phase; empty without a flight recording
     * @param loops share of a CPU that each event loop of the load generator used; none for a generator with one
     */
    public record PhaseCost(
            OptionalDouble cpuPerRequestMicros, OptionalDouble allocationPerRequest, List<Double> loops) {
        /** This cost is that of a phase of which it is not known. */
        public static final PhaseCost UNKNOWN =
                new PhaseCost(OptionalDouble.empty(), OptionalDouble.empty(), List.of());

        public PhaseCost {
            loops = List.copyOf(loops);
        }
    }
}
