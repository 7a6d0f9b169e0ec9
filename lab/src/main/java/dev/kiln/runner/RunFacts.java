package dev.kiln.runner;

import dev.kiln.evidence.RunWriter;
import dev.kiln.host.proc.HostFacts;
import dev.kiln.launch.CpuBoost;
import dev.kiln.launch.TargetLaunch;
import dev.kiln.load.LoadDriver;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.PlannedRun;
import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.Sending;
import dev.kiln.model.run.Course;
import dev.kiln.model.run.Course.Handshakes;
import dev.kiln.model.run.Course.OutOfMemory;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.Course.StartPhase;
import dev.kiln.model.run.Course.Unserved;
import dev.kiln.model.run.Machine;
import dev.kiln.model.run.Machine.LoadHost;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.RunInfo.QuietWait;
import dev.kiln.model.run.Treatment;
import dev.kiln.model.run.Treatment.AotUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/** A RunFacts collects the facts of a run, and writes each change at once: whatever is killed, they are there. */
final class RunFacts implements TargetStart.StartMoments {
    /** The pattern matches the flags that HotSpot decides by the CPUs that it counts at its start. */
    private static final Pattern BY_CPUS =
            Pattern.compile("-XX:(\\+Use\\w+GC|(CICompilerCount|ParallelGCThreads|ConcGCThreads)=\\d+)");

    private final RunWriter writer;
    private final RunContext context;
    private final PlannedRun planned;
    private final Place.PlacedTarget target;
    private final LoadSpec load;
    private final Treatment treatment;
    private final Optional<RunInfo.Typed> typed;
    private final Optional<QuietWait> quietWait;
    private Optional<Machine.JvmInfo> jvm = Optional.empty();
    private Optional<AotUse> aot = Optional.empty();
    private OptionalLong readyNanos = OptionalLong.empty();
    private OptionalLong firstResponseNanos = OptionalLong.empty();
    private final List<PhaseTime> phases = new ArrayList<>();
    private Optional<FoundReference.End> referenceEnd = Optional.empty();
    private Outcome outcome = Outcome.RUNNING;
    private Optional<String> detail = Optional.empty();
    private List<StartPhase> startupPhases = List.of();
    private Set<OutOfMemory> outOfMemory = Set.of();
    private Optional<LoadHost> loadFrom = Optional.empty();
    private final List<NotRecorded> notRecorded = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /** Writes the first facts, when the target has been launched; {@code quietWait} is empty without a wait. */
    RunFacts(
            RunWriter writer,
            RunContext context,
            PlannedRun planned,
            Place.PlacedTarget target,
            LoadSpec load,
            Optional<QuietWait> quietWait) {
        this.writer = writer;
        this.context = context;
        this.planned = planned;
        this.target = target;
        this.load = load;
        this.quietWait = quietWait;
        treatment = new Treatment(
                target.facts().modifiers(),
                Treatment.TreatmentLimits.of(planned.variant().target().modifiers())
                        .within(target.memoryBytes()),
                planned.variant().observe().instruments(),
                Optional.empty());
        Target asked = planned.variant().target();
        typed = attached() && !asked.restarts()
                ? Optional.empty()
                : Optional.of(new TargetLaunch(context.lab(), asked).typed(List.of()));
        target.facts().notes().forEach(this::note);
        if (context.experiment().setting().cold()) {
            note("the page cache was dropped before the launch");
        }
        if (load.tls().filter(Sending.Tls::insecure).isPresent()) {
            note("the certificate of the service was not checked (insecure)");
        }
        HostFacts.warnings(target.facts().host()).forEach(this::note);
        write();
    }

    void jvm(Optional<Machine.JvmInfo> known) {
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

    /** Tells whether somebody else starts the target, so that nothing of it may be changed. */
    boolean attached() {
        return planned.variant().target().where() instanceof Where.Running;
    }

    Optional<AotUse> aot() {
        return aot;
    }

    void aot(AotUse use) {
        aot = Optional.of(use);
        write();
    }

    /** Notes the share of the run's samples in methods whose profiles are in the AOT cache, if that was used. */
    void aotCoverage(double share) {
        aot = aot.filter(use -> use.rejection().isEmpty())
                .map(use -> use.covering(share))
                .or(() -> aot);
        write();
    }

    void phaseBegan(String name, boolean load, long nanosSinceLaunch) {
        phases.add(new PhaseTime(name, load, nanosSinceLaunch, OptionalLong.empty()));
        write();
    }

    void pauseEnded(long startNanos, long endNanos) {
        phaseEnded(startNanos, endNanos, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Notes the end of the phase that began last, by the driver: its phase began with the first request. */
    void phaseEnded(
            long startNanos,
            long endNanos,
            Optional<Unserved> unserved,
            Optional<Handshakes> handshakes,
            Optional<List<Double>> loops) {
        PhaseTime begun = phases.removeLast();
        phases.add(new PhaseTime(
                begun.name(), begun.load(), startNanos, OptionalLong.of(endNanos), unserved, handshakes, loops));
        write();
    }

    void referenceEnded(FoundReference.End how) {
        referenceEnd = Optional.of(how);
        write();
    }

    void note(String text) {
        notes.add(text);
    }

    void boosted(CpuBoost boost) {
        String text = boost.asked().text();
        note(boost.failure()
                .map(why -> text + ": the CPU limit could not be lowered: " + why)
                .orElseGet(() -> boost.endNanos().isPresent()
                        ? String.format(
                                Locale.ROOT,
                                "%s: the CPU limit was lowered %.1f s after the launch",
                                text,
                                boost.endNanos().getAsLong() / 1e9)
                        : text + ": the CPU limit was never lowered: "
                                + (boost.asked().time().isPresent()
                                        ? "the run ended before its time"
                                        : "the compilers were busy until the end")));
        List<String> chosen = jvm.stream()
                .flatMap(known -> known.inForce().stream())
                .filter(flag -> BY_CPUS.matcher(flag).matches())
                .toList();
        if (!chosen.isEmpty()) {
            note(text + ": by the CPUs of its start the JVM chose " + String.join(" ", chosen) + ", and keeps that");
        }
    }

    /** Notes what the JVM logged of its own start, some of it only when it ended. */
    void startupPhases(List<StartPhase> logged) {
        startupPhases = logged;
        if (!logged.isEmpty()) {
            write();
        }
    }

    /** Notes what the target ran out of, by its log. */
    void outOfMemory(Set<OutOfMemory> errors) {
        outOfMemory = errors;
        if (!errors.isEmpty()) {
            write();
        }
    }

    /** Notes all that is missing so far, in place of what was noted before. */
    void missing(List<NotRecorded> missing) {
        notRecorded.clear();
        notRecorded.addAll(missing);
    }

    /** Notes where the load came from once its session has ended; a later session is not the run's. */
    void loadEnded(LoadHost host) {
        loadFrom = Optional.of(host);
        write();
    }

    /** Adds what turned out to be missing once the target had ended. */
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

    List<PhaseTime> phases() {
        return List.copyOf(phases);
    }

    Outcome outcome() {
        return outcome;
    }

    private void write() {
        Experiment experiment = context.experiment();
        Variant variant = planned.variant();
        Place.LaunchFacts launched = target.facts();
        RunInfo info = new RunInfo(
                context.lab().kilnVersion(),
                new RunInfo.Which(
                        experiment.name(),
                        experiment.variants().stream().map(Variant::name).toList(),
                        variant.name(),
                        planned.run(),
                        planned.block(),
                        experiment.seed(),
                        context.beside().map(Beside::duet)),
                new RunInfo.Launch(
                        target.process().launchNanos(),
                        target.process().launchEpochMillis(),
                        target.process().command(),
                        launched.environment(),
                        treatment.with(aot),
                        quietWait,
                        typed,
                        target.attached(),
                        target.restarted(),
                        target.replicas()),
                new Machine(jvm, launched.host(), cpus(launched.cpus()), launched.remote()),
                new RunInfo.Plan(
                        load, experiment.protocol(), experiment.runs(), driver(), loadFrom.or(context.driver()::from)),
                new Course(
                        readyNanos,
                        firstResponseNanos,
                        phases(),
                        outcome,
                        detail,
                        referenceEnd,
                        List.of(),
                        boostEnd(),
                        startupPhases,
                        outOfMemory),
                new RunInfo.Limits(
                        List.copyOf(notRecorded),
                        List.copyOf(notes),
                        context.driver().provenance()));
        writer.write(info);
        target.alsoWrite(info);
    }

    private OptionalLong boostEnd() {
        return target.boost().map(CpuBoost::endNanos).orElseGet(OptionalLong::empty);
    }

    /** The CPUs of the load are here no more than the load is. */
    private CpuAssignment cpus(CpuAssignment here) {
        return context.isLoadFar()
                ? new CpuAssignment(here.target(), List.of(), here.database(), here.pinned(), here.notes())
                : here;
    }

    private String driver() {
        LoadDriver.DriverInfo info = context.driver().info();
        String from = context.driver().from().map(host -> " at " + host.name()).orElse("");
        String notes = info.notes().isEmpty() ? "" : " (" + String.join("; ", info.notes()) + ")";
        return info.name() + " " + info.version() + from + ": " + info.meaning() + notes;
    }
}
