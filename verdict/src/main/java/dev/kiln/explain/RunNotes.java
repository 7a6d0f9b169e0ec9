package dev.kiln.explain;

import dev.kiln.explain.window.BinPolicy;
import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.run.Attached;
import dev.kiln.model.run.Attached.Restarted;
import dev.kiln.model.run.Course.Hung;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.Course.Unserved;
import dev.kiln.model.run.Machine.LoadHost;
import dev.kiln.model.run.Machine.RemoteHost;
import dev.kiln.model.run.Provenance;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Treatment;
import dev.kiln.model.run.Treatment.AotTraining;
import dev.kiln.model.run.Treatment.AotUse;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * RunNotes are what a reader must know of a run: how it was treated, what could not be recorded, and what limits its
 * figures. They are free of figures that differ from run to run, so that the same words join.
 */
public final class RunNotes {
    /** A note that names what could not be recorded begins with this. */
    private static final String NOT_RECORDED = "not recorded: ";

    /** An import that has no curve gets this note. */
    public static final String ONLY_TOTALS = "only totals were kept: without a curve there is no time to peak";

    private static final String CONFIRMED =
            "the search for the peak ended with a round that agrees with the peak of the"
                    + " variant's earlier runs; the peak of the run is what its own rounds served";

    /** The note on requests that hung contains this. */
    public static final String HUNG = " requests in flight had waited for longer than any took that was answered";

    /** A request that waits for less may wait for any pause. A choice. */
    private static final long HANGS_NANOS = 1_000_000_000L;

    private RunNotes() {}

    /** Returns those of these notes that name what could not be recorded: what, and why. */
    public static List<String> notRecorded(List<String> notes) {
        return notes.stream()
                .filter(note -> note.startsWith(NOT_RECORDED))
                .map(note -> note.substring(NOT_RECORDED.length()))
                .toList();
    }

    public static List<String> of(RunEvidence evidence) {
        List<String> notes = new ArrayList<>();
        evidence.info().attached().map(Attached::note).ifPresent(notes::add);
        evidence.info().launch().restarted().map(Restarted::note).ifPresent(notes::add);
        notes.addAll(treatment(evidence.info().treatment()));
        evidence.info()
                .course()
                .referenceEnd()
                .filter(FoundReference.End.CONFIRMED::equals)
                .ifPresent(end -> notes.add(CONFIRMED));
        hung(evidence.info().phases()).ifPresent(notes::add);
        notes.addAll(evidence.info().cpus().notes());
        evidence.info()
                .notRecorded()
                .forEach(missing -> notes.add(NOT_RECORDED + missing.what() + ": " + missing.why()));
        evidence.replicas()
                .forEach(replica -> replica.info()
                        .notRecorded()
                        .forEach(missing -> notes.add(
                                NOT_RECORDED + missing.what() + " (" + replica.place() + "): " + missing.why())));
        notes.addAll(foreign(evidence.info()));
        evidence.info().remote().ifPresent(remote -> notes.add(note(remote)));
        evidence.info().loadFrom().ifPresent(from -> notes.add(note(from)));
        notes.addAll(evidence.info().notes());
        notes.addAll(evidence.gaps());
        return notes;
    }

    /** Says what the figures of a service are worth that was measured beside another. */
    public static String duet(RunInfo run) {
        boolean shared = run.cpus().target().stream().anyMatch(run.cpus().load()::contains);
        return "duet: both variants ran at once, each on half of the CPUs"
                + (shared ? ", which its load generator shared" : "")
                + ". They shared caches, memory bandwidth and the clock rate of the processor, so peaks and times are those of"
                + " a service beside the other; do not compare them with those of a run that had the machine to itself";
    }

    /** Returns in words what hung at the end of the load in which most requests did; empty where none did for long. */
    private static Optional<String> hung(List<PhaseTime> phases) {
        return phases.stream()
                .flatMap(phase -> phase.unserved().stream())
                .filter(ended -> hung(ended).oldestNanos() >= HANGS_NANOS)
                .max(Comparator.comparingLong(ended -> hung(ended).count()))
                .map(ended -> String.format(
                        Locale.ROOT,
                        "when a load ended, %d of %d%s, the first of them for %.1f s: no response time has them",
                        hung(ended).count(),
                        ended.unfinished(),
                        HUNG,
                        hung(ended).oldestNanos() / 1e9));
    }

    private static Hung hung(Unserved ended) {
        return ended.hung().orElse(new Hung(0, 0));
    }

    private static String note(LoadHost from) {
        return String.format(
                Locale.ROOT,
                "the load was sent from %s (%s, which may use %s of its CPUs): its times are right to within %.3f ms%s; what lay"
                        + " between it and the service is not known",
                from.name(),
                from.host().isEmpty() ? "a host without a name" : from.host(),
                plain(from.cpus()),
                from.uncertaintyNanos() / 1e6,
                drift(from.driftNanos()));
    }

    private static String plain(double cpus) {
        return BigDecimal.valueOf(cpus).stripTrailingZeros().toPlainString();
    }

    private static String drift(OptionalLong nanos) {
        return nanos.isPresent()
                ? String.format(Locale.ROOT, "; the clocks drifted apart by %.3f ms", Math.abs(nanos.getAsLong()) / 1e6)
                : "";
    }

    private static String note(RemoteHost remote) {
        return String.format(
                Locale.ROOT,
                "the target ran on %s: times recorded there are right to within %.3f ms%s",
                remote.name(),
                remote.uncertaintyNanos() / 1e6,
                drift(remote.driftNanos()));
    }

    private static List<String> treatment(Treatment treatment) {
        List<String> notes = new ArrayList<>();
        if (!treatment.modifiers().isEmpty()) {
            notes.add("modified: " + String.join(", ", treatment.modifiers()));
        }
        treatment.aot().filter(aot -> aot.failure().isEmpty()).ifPresent(aot -> notes.add(used(aot)));
        return notes;
    }

    private static String used(AotUse aot) {
        if (aot.rejection().isPresent()) {
            return "the AOT cache of another variant was not used: "
                    + aot.rejection().get();
        }
        String trained = switch (aot.trained()) {
            case "file" -> "given as a file";
            case "variant" -> "that of another variant";
            default -> "trained by " + aot.trained();
        };
        return "AOT cache used, " + trained
                + aot.training().map(RunNotes::made).orElse("")
                + (aot.replaysTraining().orElse(true) ? "" : "; its training data is not replayed");
    }

    private static String made(AotTraining training) {
        return String.format(
                Locale.ROOT,
                " (recorded in %.1f s, created in %.1f s, %.0f MB)",
                training.recordNanos() / 1e9,
                training.createNanos() / 1e9,
                training.cacheBytes() / 1e6);
    }

    /** Returns the notes on what limits figures that other programs recorded; none if Kiln recorded all of them. */
    public static List<String> foreign(RunInfo info) {
        return info.provenance()
                .map(foreign -> foreign(foreign, info.imported() ? "imported from " : "the load is from "))
                .orElseGet(List::of);
    }

    private static List<String> foreign(Provenance foreign, String from) {
        List<String> notes = new ArrayList<>();
        notes.add(from + String.join(", ", foreign.sources()));
        bins(foreign).ifPresent(notes::add);
        if (foreign.quantised()) {
            notes.add("latencies are the source's own quantiles, at the bounds of its histogram's buckets; they"
                    + " cannot be combined");
        }
        if (foreign.errorsFromFirstAnswer()) {
            notes.add("the source does not count failures before the target was up");
        }
        if (!foreign.waitRecorded()) {
            notes.add("the source does not record how long threads waited for a CPU");
        }
        if (foreign.alignmentNanos().isPresent()) {
            notes.add("the clocks of load and threads may be "
                    + BinPolicy.seconds(foreign.alignmentNanos().getAsLong()) + " apart");
        }
        return notes;
    }

    private static Optional<String> bins(Provenance foreign) {
        Provenance.SourceBins bins = foreign.bins();
        return switch (bins.kind()) {
            case TOTAL -> Optional.of(ONLY_TOTALS);
            case ITERATION ->
                Optional.of("a bin is one iteration; a time is a number of iterations times their usual length, "
                        + BinPolicy.seconds(bins.nanos()));
            case TIME ->
                bins.nanos() == 0
                        ? Optional.empty()
                        : Optional.of("bins of " + BinPolicy.seconds(bins.nanos())
                                + (bins.byStart()
                                        ? " by the start of requests: a stall shows too early, and times are"
                                                + " exact to "
                                        : ": times are exact to ")
                                + BinPolicy.seconds(bins.nanos()));
        };
    }
}
