package dev.kiln.runner;

import dev.kiln.evidence.RunWriter;
import dev.kiln.host.process.Ports;
import dev.kiln.launch.Lab;
import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.JdkChoice;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.experiment.Where.AttachPoint;
import dev.kiln.model.experiment.Where.HostPlace;
import dev.kiln.postgres.Postgres;
import dev.kiln.remote.Ask;
import dev.kiln.remote.Ask.LaunchTarget.AskedJvm;
import dev.kiln.remote.Ask.LaunchTarget.AskedProgram;
import dev.kiln.remote.RemoteKiln;
import dev.kiln.remote.RemoteTarget;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A PlaceElsewhere is another machine or a container of others, with an agent of Kiln's beside the target. */
final class PlaceElsewhere implements Place {
    /**
     * The pattern allows addresses and nothing else, because rules of access are made of what another machine says
     * here. A link-local address, which needs the name of a network interface behind it, is none.
     */
    private static final Pattern CONNECTION = Pattern.compile("([0-9a-fA-F.:]+) \\d+ ([0-9a-fA-F.:]+) \\d+");

    /** Kiln looks no more often: each look starts programs, beside a service that starts. */
    private static final Duration LOOK = Duration.ofMillis(200);

    private final RunContext context;
    private final HostPlace host;
    private final Optional<AttachPoint> point;
    private final Set<Integer> ports = new HashSet<>();

    /**
     * There is an agent beside each process of the target, which is one as a rule; none as long as a command has not brought the
     * places where they are to run.
     */
    private final List<Beside> agents = new ArrayList<>();

    private Optional<String> databaseAt = Optional.empty();

    /** @param place of the process */
    private record Beside(RemoteKiln agent, Where place) {
        AttachPoint point() {
            return ((Where.Running) place).point();
        }
    }

    PlaceElsewhere(RunContext context, HostPlace host, Target target) {
        this.context = context;
        this.host = host;
        point = target.where() instanceof Where.Running running ? Optional.of(running.point()) : Optional.empty();
        if (!target.restarts()) {
            start(target, at -> RemoteKiln.start(at, prefix(), cpus(), context.cancellation()::since));
        }
    }

    /** @param way to start the agent of one process */
    private void start(Target target, Function<Target, RemoteKiln> way) {
        try {
            for (Where place : RemoteKiln.places(target.where())) {
                agents.add(new Beside(way.apply(target.with(place)), place));
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private List<String> prefix() {
        Lab lab = context.lab();
        return lab.launcher().prefix(lab.pinTo(lab.cpus().load()));
    }

    private CpuRequest cpus() {
        return new CpuRequest(context.experiment().cpus().target(), List.of(), List.of());
    }

    private RemoteKiln agent() {
        return agents.getFirst().agent();
    }

    private Optional<RemoteKiln> known() {
        return agents.stream().map(Beside::agent).findFirst();
    }

    @Override
    public int port() {
        return point.filter(AttachPoint.ListeningPort.class::isInstance)
                .map(AttachPoint.ListeningPort.class::cast)
                .map(AttachPoint.ListeningPort::port)
                .or(() -> known().map(there -> there.begun().port()))
                .orElse(PlaceAttached.NO_PORT);
    }

    @Override
    public String address() {
        return known().map(RemoteKiln::address).orElse(RunContext.HERE);
    }

    @Override
    public void start(Postgres database) {
        Postgres.Client client = client(host.name(), agent().begun().connection());
        database.startFresh(client);
        databaseAt = Optional.of(RunFailure.asking(() -> {
            agent().requireReach(client.here(), database.port());
            return client.here();
        }));
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
        if (asked == port() || there) {
            ports.add(asked);
        }
    }

    @Override
    public Place.PlacedTarget launch(
            Target target, Placeholders values, List<String> flags, Questions asked, RunWriter writer, Path log) {
        if (target.restarts()) {
            return restarted(target, values, asked, writer, log);
        }
        if (point.isEmpty()) {
            RemoteTarget there = agent().launch(launching(target, values, flags, asked), writer, log);
            return new PlacedElsewhere(there, notes(agent(), target.readiness()), databaseAt, writer, Optional.empty());
        }
        Replicas.Folders folders =
                new Replicas.Folders(writer, log, context.lab().secrets(), new HashMap<>());
        List<PlacedElsewhere> all = new ArrayList<>();
        for (Beside one : agents) {
            int number = all.size() + 1;
            RunWriter its = folders.writer(number);
            RemoteTarget there =
                    one.agent().attach(one.point(), asked.jit(), asked.threads(), its, folders.log(number));
            all.add(new PlacedElsewhere(
                    there, notes(one.agent(), target.readiness()), databaseAt, its, Optional.empty()));
        }
        return Replicas.of(all);
    }

    private Place.PlacedTarget restarted(
            Target target, Placeholders values, Questions asked, RunWriter writer, Path log) {
        Set<String> before = RemoteKiln.identities(target.where());
        Restart restart =
                Restart.begin(context, target, values, log.toAbsolutePath().resolveSibling(""));
        Replicas.Folders folders =
                new Replicas.Folders(writer, log, context.lab().secrets(), new HashMap<>());
        Optional<PodBoost> boost = target.modifier(Modifier.BoostedStart.class)
                .map(boosted -> new PodBoost(boosted, context, writer.directory()));
        List<PlacedElsewhere> all = new ArrayList<>();
        try {
            restart.await(LOOK, () -> {
                if (agents.isEmpty()
                        || agents.stream().anyMatch(one -> one.agent().isLost())) {
                    close();
                    all.clear();
                    start(
                            target,
                            at -> RemoteKiln.startAnew(
                                    at,
                                    before,
                                    prefix(),
                                    cpus(),
                                    context.cancellation()::since,
                                    () -> boost.ifPresent(more -> more.raise(at.where()))));
                }
                while (all.size() < agents.size()) {
                    Beside one = agents.get(all.size());
                    int number = all.size() + 1;
                    RunWriter its = folders.writer(number);
                    RemoteTarget there = one.agent()
                            .attachNew(
                                    one.point(),
                                    asked.jit(),
                                    asked.threads(),
                                    restart.beganNanos(),
                                    its,
                                    folders.log(number));
                    all.add(new PlacedElsewhere(
                            there, late(one.agent(), there), databaseAt, its, Optional.of(restart), boost));
                }
                return all;
            });
            boost.ifPresent(more -> more.begin(all.getFirst().target().launchNanos()));
            return Replicas.of(all);
        } catch (RuntimeException e) {
            boost.ifPresent(PodBoost::restore);
            restart.giveUp();
            throw e;
        }
    }

    /** Says from when on a new process is seen: its place had to be there before the recorder could be. */
    private static List<String> late(RemoteKiln agent, RemoteTarget there) {
        List<String> notes = new ArrayList<>(agent.notes());
        notes.add(String.format(
                Locale.ROOT,
                "Kiln's recorder was beside the new process (%s) %.1f s after its start: before, nothing of it was recorded,"
                        + " and no response was asked for",
                there.remote().name(),
                (System.nanoTime() - there.launchNanos()) / 1e9));
        return notes;
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

    /** Returns the target's modifiers with its virtual threads: the agent knows no form of a workload. */
    private static List<Modifier> modifiers(Target target) {
        List<Modifier> all = new ArrayList<>(target.modifiers());
        if (target.virtualThreads()
                && target.modifier(Modifier.VirtualThreads.class).isEmpty()) {
            all.addFirst(new Modifier.VirtualThreads());
        }
        return all;
    }

    private List<String> notes(RemoteKiln agent, ReadySign readiness) {
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
        agents.forEach(one -> one.agent().close());
        agents.clear();
    }
}
