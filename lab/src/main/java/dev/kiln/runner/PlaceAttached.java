package dev.kiln.runner;

import dev.kiln.evidence.RunWriter;
import dev.kiln.host.proc.Cgroups;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.Topology.CpuLists;
import dev.kiln.host.process.AttachedProcess;
import dev.kiln.host.process.Ports;
import dev.kiln.jvm.Serving;
import dev.kiln.launch.Attachment;
import dev.kiln.launch.Lab;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Where.AttachPoint;
import dev.kiln.model.run.Attached;
import dev.kiln.model.run.Attached.Restarted;
import dev.kiln.postgres.Postgres;
import dev.kiln.recorder.Recorder;
import dev.kiln.recorder.RecorderSpec;
import dev.kiln.recorder.RecorderSpec.ThreadDumping;
import dev.kiln.recorder.Recording;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A PlaceAttached is this machine, on which the target runs already, or is started anew by a command of the user's.
 * Kiln watches the process and sends it load. It neither changes nor ends it: it gets no priority, no CPUs and no
 * cgroup, and goes on when the run is over, unless the user's own command stops it.
 */
final class PlaceAttached implements Place {
    /** The port of a target that has none by Kiln's knowledge; nothing asks for it. */
    static final int NO_PORT = 0;

    /** A listener is looked for so often: it may answer at once, and the first response is to be seen. */
    private static final Duration LOOK = Duration.ofMillis(20);

    /** An engine is a program that must be started to be asked, beside a service that starts. */
    private static final Duration ASK = Duration.ofMillis(200);

    private final RunContext context;
    private final AttachPoint point;
    private final Set<Integer> ports = new HashSet<>();

    PlaceAttached(RunContext context, AttachPoint point) {
        this.context = context;
        this.point = point;
    }

    @Override
    public int port() {
        return point instanceof AttachPoint.ListeningPort listening ? listening.port() : NO_PORT;
    }

    @Override
    public String address() {
        return RunContext.HERE;
    }

    @Override
    public void start(Postgres database) {
        throw new IllegalStateException("a process that runs already has its own database");
    }

    @Override
    public void requireFree(URI url) {
        // The service answers there already, and that is meant.
        ports.addAll(Ports.here(List.of(url)));
    }

    @Override
    public Place.PlacedTarget launch(
            Target target, Placeholders values, List<String> flags, Questions asked, RunWriter writer, Path log) {
        if (target.restarts()) {
            return restarted(target, values, asked, writer, log.toAbsolutePath().resolveSibling(""));
        }
        Attachment found = Attachment.to(point);
        return running(
                found, asked, writer, new Origin(Optional.of(found.before()), Optional.empty(), Map.of(), () -> {}));
    }

    private Place.PlacedTarget restarted(
            Target target, Placeholders values, Questions asked, RunWriter writer, Path folder) {
        Restart restart = Restart.begin(context, target, values, folder);
        try {
            Attachment fresh = restart.await(
                    point instanceof AttachPoint.ContainerName ? ASK : LOOK,
                    () -> Attachment.toNew(point, restart.beganNanos()));
            Restarted by = restart.brought(
                    point.text(), fresh.process().pid(), fresh.process().launchNanos());
            return running(
                    fresh,
                    asked,
                    writer,
                    new Origin(Optional.empty(), Optional.of(by), restart.environment(), restart::end));
        } catch (RuntimeException e) {
            restart.giveUp();
            throw e;
        }
    }

    private Running running(Attachment found, Questions asked, RunWriter writer, Origin origin) {
        boolean behind = Serving.now(ProcFs.ofThisMachine(), found.process().pid(), ports) instanceof Serving.Stranger;
        Lab lab = context.lab();
        List<Integer> load =
                context.isLoadFar() ? List.of() : lab.pinTo(lab.cpus().load());
        return new Running(lab, found, asked, writer, origin, found.allowed(), load, behind);
    }

    @Override
    public void close() {
        // Nothing is held.
    }

    /**
     * An Origin is where the process comes from.
     *
     * @param before how long it had run, where it was not started for the run
     * @param restarted who started it for the run
     * @param environment that was given to that one
     * @param end what is to be done when the run is over
     */
    private record Origin(
            Optional<Attached> before, Optional<Restarted> restarted, Map<String, String> environment, Runnable end) {}

    /**
     * A Running is the process that was found.
     *
     * @param allowed CPUs that it may run on
     * @param load CPUs that the load generator is pinned to; none where it is not, or runs elsewhere
     * @param behind whether another process listens on the port of the load, such as a proxy
     */
    private record Running(
            Lab lab,
            Attachment found,
            Questions asked,
            RunWriter writer,
            Origin origin,
            List<Integer> allowed,
            List<Integer> load,
            boolean behind)
            implements Place.PlacedTarget {
        @Override
        public AttachedProcess process() {
            return found.process();
        }

        @Override
        public Optional<Attached> attached() {
            return origin.before();
        }

        @Override
        public Optional<Restarted> restarted() {
            return origin.restarted();
        }

        /** Returns nothing: what asks for it would favour its compilers or collect its heap. */
        @Override
        public OptionalLong pid(Set<Integer> ports) {
            return OptionalLong.empty();
        }

        @Override
        public Place.LaunchFacts facts() {
            List<String> notes = behind
                    ? List.of(
                            "another process than the target listens on the port of the load: what stands between them is"
                                    + " part of the response times, and its CPU is not recorded")
                    : List.of();
            return new Place.LaunchFacts(
                    origin.environment(),
                    List.of(),
                    cpus(),
                    found.host(lab.host()),
                    Optional.empty(),
                    notes,
                    List.of());
        }

        /** The CPUs of a process that was not pinned are not its own, so none are counted as those of the target alone. */
        private CpuAssignment cpus() {
            List<Integer> shared = load.stream().filter(allowed::contains).toList();
            String beside = shared.isEmpty()
                    ? "and the load generator ran on " + cpus(load)
                    : "and had to share " + cpus(shared) + " with the load generator";
            return new CpuAssignment(
                    allowed,
                    load,
                    List.of(),
                    false,
                    load.isEmpty() || allowed.isEmpty()
                            ? List.of()
                            : List.of("Kiln left the target where it was: it may run on " + cpus(allowed) + ", "
                                    + beside));
        }

        private static String cpus(List<Integer> some) {
            return (some.size() == 1 ? "CPU " : "CPUs ") + CpuLists.format(some);
        }

        @Override
        public OptionalLong memoryBytes() {
            return Cgroups.memoryOf(
                    ProcFs.ofThisMachine(), process().pid(), lab.host().memoryBytes());
        }

        /** Records whoever serves the ports; behind a proxy, the process that was named. */
        @Override
        public Recording record(Map<String, Long> parts, Set<Integer> ports) {
            return Recorder.start(
                    new RecorderSpec(process().pid(), process().launchNanos(), parts, asked.jit())
                            .serving(behind ? Set.of() : ports)
                            .with(new ThreadDumping(asked.threads(), Optional.of(lab.registry()))),
                    writer);
        }

        @Override
        public void stop(Duration grace) {
            process().stop(grace);
            origin.end().run();
        }
    }
}
