package dev.kiln.runner;

import dev.kiln.evidence.RunWriter;
import dev.kiln.load.LoadDriver;
import dev.kiln.model.Experiment.PlannedRun;
import dev.kiln.model.FoundReference;
import dev.kiln.model.LoadSpec;
import dev.kiln.model.RunInfo;
import dev.kiln.model.RunInfo.NotRecorded;
import dev.kiln.model.RunInfo.Outcome;
import dev.kiln.model.RunInfo.PhaseTime;
import dev.kiln.model.RunInfo.QuietWait;
import dev.kiln.model.Treatment;
import dev.kiln.model.Treatment.AotUse;
import dev.kiln.model.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * The facts of a run as they become known. Each change is written at once, so {@code run.json} tells as much as was
 * known, whatever is killed.
 */
final class RunFacts implements TargetStart.Told {
    private final RunWriter writer;
    private final Function<RunFacts, RunInfo> whole;
    private Optional<RunInfo.JvmInfo> jvm = Optional.empty();
    private Optional<AotUse> aot = Optional.empty();
    private OptionalLong readyNanos = OptionalLong.empty();
    private OptionalLong firstResponseNanos = OptionalLong.empty();
    private final List<PhaseTime> phases = new ArrayList<>();
    private Optional<FoundReference.End> referenceEnd = Optional.empty();
    private Outcome outcome = Outcome.RUNNING;
    private Optional<String> detail = Optional.empty();
    private final List<NotRecorded> notRecorded = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /** @param whole adds the facts that never change: {@link Fixed#info} */
    RunFacts(RunWriter writer, Function<RunFacts, RunInfo> whole) {
        this.writer = writer;
        this.whole = whole;
        write();
    }

    void jvm(Optional<RunInfo.JvmInfo> known) {
        jvm = known;
        write();
    }

    @Override
    public void ready(long nanosSinceLaunch) {
        readyNanos = OptionalLong.of(nanosSinceLaunch);
        write();
    }

    @Override
    public void firstResponse(long nanosSinceLaunch) {
        firstResponseNanos = OptionalLong.of(nanosSinceLaunch);
        write();
    }

    void aot(AotUse use) {
        aot = Optional.of(use);
        write();
    }

    void phaseBegan(String name, boolean load, long nanosSinceLaunch) {
        phases.add(new PhaseTime(name, load, nanosSinceLaunch, OptionalLong.empty()));
        write();
    }

    /** The driver knows best when its phase began: with the first request. */
    void phaseEnded(long startNanos, long endNanos) {
        PhaseTime begun = phases.removeLast();
        phases.add(new PhaseTime(begun.name(), begun.load(), startNanos, OptionalLong.of(endNanos)));
        write();
    }

    void referenceEnded(FoundReference.End how) {
        referenceEnd = Optional.of(how);
        write();
    }

    void note(String text) {
        notes.add(text);
    }

    /** All that is missing so far; replaces what was said before. */
    void missing(List<NotRecorded> missing) {
        notRecorded.clear();
        notRecorded.addAll(missing);
    }

    /** What turned out to be missing once the target had ended. */
    void alsoMissing(List<NotRecorded> missing) {
        if (!missing.isEmpty()) {
            notRecorded.addAll(missing);
            write();
        }
    }

    void ended(Outcome how, Optional<String> why) {
        outcome = how;
        detail = why;
        write();
    }

    private void write() {
        writer.write(whole.apply(this));
    }

    Optional<RunInfo.JvmInfo> jvm() {
        return jvm;
    }

    Optional<AotUse> aot() {
        return aot;
    }

    OptionalLong readyNanos() {
        return readyNanos;
    }

    OptionalLong firstResponseNanos() {
        return firstResponseNanos;
    }

    List<PhaseTime> phases() {
        return List.copyOf(phases);
    }

    Optional<FoundReference.End> referenceEnd() {
        return referenceEnd;
    }

    Outcome outcome() {
        return outcome;
    }

    Optional<String> detail() {
        return detail;
    }

    List<NotRecorded> notRecorded() {
        return List.copyOf(notRecorded);
    }

    List<String> notes() {
        return List.copyOf(notes);
    }

    /** The facts of a run that are known at launch and never change. */
    record Fixed(
            RunContext context,
            PlannedRun planned,
            Place.Run target,
            LoadSpec load,
            Treatment treatment,
            Optional<QuietWait> quietWait) {

        RunInfo info(RunFacts facts) {
            return new RunInfo(
                    RunInfo.SCHEMA_VERSION,
                    context.lab().kilnVersion(),
                    context.experiment().name(),
                    context.experiment().variants().stream().map(Variant::name).toList(),
                    planned.variant().name(),
                    planned.run(),
                    planned.block(),
                    context.experiment().seed(),
                    target.process().launchNanos(),
                    target.process().launchEpochMillis(),
                    target.process().command(),
                    target.environment(),
                    treatment.with(facts.aot()),
                    facts.jvm(),
                    target.host(),
                    target.cpus(),
                    load,
                    context.experiment().protocol(),
                    context.experiment().runs(),
                    driverText(),
                    facts.readyNanos(),
                    facts.firstResponseNanos(),
                    facts.phases(),
                    facts.outcome(),
                    facts.detail(),
                    facts.notRecorded(),
                    facts.notes(),
                    context.driver().provenance(),
                    target.remote(),
                    quietWait,
                    facts.referenceEnd(),
                    List.of());
        }

        private String driverText() {
            LoadDriver.DriverInfo info = context.driver().info();
            String notes = info.notes().isEmpty() ? "" : " (" + String.join("; ", info.notes()) + ")";
            return info.name() + " " + info.version() + ": " + info.meaning() + notes;
        }
    }
}
