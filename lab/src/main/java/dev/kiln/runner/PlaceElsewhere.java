package dev.kiln.runner;

import dev.kiln.evidence.RunWriter;
import dev.kiln.host.process.Ports;
import dev.kiln.host.process.TargetProcess;
import dev.kiln.launch.Lab;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Where.AttachPoint;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.JdkChoice;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.experiment.Where.HostPlace;
import dev.kiln.model.run.Attached;
import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.model.run.Machine.RemoteHost;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.postgres.Postgres;
import dev.kiln.recorder.Recording.DumpTimes;
import dev.kiln.recorder.PartsRecorder;
import dev.kiln.recorder.Recording;
import dev.kiln.recorder.Recording.CompilerLoad;
import dev.kiln.remote.Ask;
import dev.kiln.remote.Ask.LaunchTarget.AskedJvm;
import dev.kiln.remote.Ask.LaunchTarget.AskedProgram;
import dev.kiln.remote.RemoteKiln;
import dev.kiln.remote.RemoteTarget;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A PlaceElsewhere is another machine or a container of others, with an agent of Kiln's beside the target. The load comes
 * from here.
 */
final class PlaceElsewhere implements Place {
    /**
     * The pattern allows addresses and nothing else, because rules of access are made of what another machine says
     * here. A link-local address, which needs the name of a network interface behind it, is none.
     */
    private static final Pattern CONNECTION = Pattern.compile("([0-9a-fA-F.:]+) \\d+ ([0-9a-fA-F.:]+) \\d+");

    private final HostPlace host;
    private final int port;
    private final RemoteKiln agent;
    private final Set<Integer> ports = new HashSet<>();
    private Optional<String> databaseAt = Optional.empty();

    PlaceElsewhere(Lab lab, HostPlace host, Target target, CpuRequest cpus) {
        this.host = host;
        agent = RemoteKiln.start(
                target,
                lab.launcher().prefix(lab.pinTo(lab.cpus().load())),
                new CpuRequest(cpus.target(), List.of(), List.of()));
        port = target.where() instanceof Where.Running running
                        && running.point() instanceof AttachPoint.ListeningPort listening
                ? listening.port()
                : agent.begun().port();
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public String address() {
        return agent.address();
    }

    @Override
    public void start(Postgres database) {
        Postgres.Client client = client(host.name(), agent.begun().connection());
        database.startFresh(client);
        agent.requireReach(client.here(), database.port());
        databaseAt = Optional.of(client.here());
    }

    /**
     * Reads the addresses of both machines from an SSH connection.
     *
     * @throws KilnException with {@link Exit#MACHINE} if that machine does not reach this one directly
     */
    static Postgres.Client client(String host, String connection) {
        Matcher ends = CONNECTION.matcher(connection);
        if (!ends.matches() || !Ports.isHere(ends.group(1))) {
            throw KilnException.machine(
                    host + " reaches this machine by an address that Kiln's PostgreSQL cannot listen on"
                            + " (SSH_CONNECTION is '" + connection + "' there)",
                    "connect to it without a jump host or translated addresses in between, or name a database that both"
                            + " machines can reach: database: {url: ..., user: ..., password: ...}");
        }
        return new Postgres.Client(ends.group(1), ends.group(2));
    }

    /** Returns a host without the brackets that an IPv6 address has in a URL. */
    private static String bare(String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    @Override
    public void requireFree(URI url) {
        // The agent chose the port; of a fixed one only that machine could tell. Who serves it, the agent finds.
        // Its own port is the target's by whatever name the URL has for that machine. A port that is published here may
        // be another one there.
        int asked = Ports.portOf(url);
        boolean there = !host.isPiped() && bare(address()).equalsIgnoreCase(bare(String.valueOf(url.getHost())));
        if (asked == port || there) {
            ports.add(asked);
        }
    }

    @Override
    public Place.PlacedTarget launch(
            Target target, Placeholders values, List<String> flags, Questions asked, RunWriter writer, Path log) {
        RemoteTarget there = target.where() instanceof Where.Running running
                ? agent.attach(running.point(), asked.jit(), asked.threads(), writer, log)
                : agent.launch(launching(target, values, flags, asked), writer, log);
        return new Remote(there, notes(target.readiness()), databaseAt, writer);
    }

    private Ask.LaunchTarget launching(Target target, Placeholders values, List<String> flags, Questions asked) {
        List<String> all = new ArrayList<>(target.jvmFlags());
        all.addAll(flags);
        return new Ask.LaunchTarget(
                new AskedProgram(
                        target.command(),
                        target.arguments(),
                        target.environment(),
                        // The agent's own is the folder of the workload.
                        target.workload().isPresent()
                                ? Optional.empty()
                                : target.workingDirectory().map(Path::toString)),
                new AskedJvm(target.jdk().map(JdkChoice::text), all),
                modifiers(target),
                values.values(),
                ports,
                asked.jit(),
                asked.threads());
    }

    /**
     * Returns the target's modifiers with its virtual threads among them. The agent knows no form of a workload, only
     * its command.
     */
    private static List<Modifier> modifiers(Target target) {
        List<Modifier> all = new ArrayList<>(target.modifiers());
        if (target.virtualThreads()
                && target.modifier(Modifier.VirtualThreads.class).isEmpty()) {
            all.addFirst(new Modifier.VirtualThreads());
        }
        return all;
    }

    private List<String> notes(ReadySign readiness) {
        List<String> notes = new ArrayList<>(agent.notes());
        if (readiness instanceof ReadySign.LogPattern) {
            notes.add(
                    "Kiln reads the target's output, and so the line that says it is ready, up to a quarter of a second late");
        }
        databaseAt.ifPresent(address -> notes.add(
                "the database ran beside the load, and the target reached it over the network at " + address));
        return notes;
    }

    @Override
    public void close() {
        agent.close();
    }

    private record Remote(RemoteTarget target, List<String> notes, Optional<String> databaseAt, RunWriter writer)
            implements Place.PlacedTarget {
        @Override
        public TargetProcess process() {
            return target;
        }

        @Override
        public Optional<Attached> attached() {
            return target.told().attached();
        }

        @Override
        public OptionalLong pid(Set<Integer> ports) {
            return OptionalLong.empty();
        }

        @Override
        public Place.LaunchFacts facts() {
            RemoteHost remote = target.remote();
            CpuAssignment there = target.told().cpus();
            List<String> beside = attached().isPresent() ? there.notes() : List.of();
            return new Place.LaunchFacts(
                    target.told().environment(),
                    target.told().modifiers(),
                    // What the other parts are pinned to here says nothing of the CPUs there.
                    new CpuAssignment(there.target(), List.of(), List.of(), there.pinned(), beside),
                    target.told().host(),
                    Optional.of(remote),
                    notes,
                    List.of(new NotRecorded(
                            "how busy the CPUs of " + (databaseAt.isPresent() ? "load and database" : "the load")
                                    + " are",
                            "the target runs on " + remote.name() + ", so the CPUs of that machine are recorded")));
        }

        @Override
        public Recording record(Map<String, Long> parts, Set<Integer> ports) {
            target.record();
            return new Both(target, PartsRecorder.start(parts, target.launchNanos(), writer));
        }

        @Override
        public void stop(Duration grace) {
            target.stop(grace);
        }
    }

    /** A Both is the agent's recording of the target, with that of the lab's parts here. */
    private record Both(RemoteTarget there, PartsRecorder here) implements Recording {
        @Override
        public Optional<JvmInfo> jvm() {
            return there.jvm();
        }

        @Override
        public Optional<CompilerLoad> c2LastSecond() {
            return there.c2LastSecond();
        }

        @Override
        public void dumpThreads(DumpTimes times) {
            there.dumpThreads(times);
        }

        @Override
        public Recording.RecordingResult stop() {
            here.close();
            return there.stop();
        }

        @Override
        public void close() {
            stop();
        }
    }
}
