package dev.kiln.remote;

import dev.kiln.evidence.RunWriter;
import dev.kiln.launch.AttachSearch.NothingThere;
import dev.kiln.model.ClockOffset;
import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.experiment.Where.AttachPoint;
import dev.kiln.model.experiment.Where.HostPlace;
import dev.kiln.remote.FarShell.Pipe;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * A RemoteKiln is Kiln's agent beside a target. It ends, and a target that it launched with it, when this is closed or
 * Kiln dies.
 */
public final class RemoteKiln implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration LAUNCH = Duration.ofSeconds(30);
    private static final Duration CLOCK = Duration.ofSeconds(20);

    /**
     * The number of exchanges is larger than necessary, because the first ones are slow while the agent's JVM is cold.
     */
    private static final int EXCHANGES = 200;

    /**
     * Clocks that nobody sets together differ by minutes; those of machines that ask a time server, by less than a
     * second.
     */
    private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(1);

    private final FarShell shell;
    private final AgentLink link;
    private final Tell.Begun begun;
    private final List<String> notes;
    private Optional<ClockOffset> clock = Optional.empty();

    private RemoteKiln(FarShell shell, AgentLink link, Tell.Begun begun) {
        this.shell = shell;
        this.link = link;
        this.begun = begun;
        notes = new ArrayList<>(begun.swept());
        clockNote(shell.name(), System.currentTimeMillis(), begun.epochMillis()).ifPresent(notes::add);
    }

    /** Returns the shell beside a target that is elsewhere. */
    static FarShell shell(Where where) {
        if (where instanceof Where.Running running && running.point() instanceof AttachPoint.KubePod pod) {
            return PodShell.find(pod);
        }
        HostPlace place = where.elsewhere().orElseThrow();
        return place.isPiped() ? new Pipe(place) : new Ssh(place.name());
    }

    /**
     * Sends Kiln to a place that does not have it yet.
     *
     * @param mayBeAbsent whether the place need not be there yet, because a command will bring it
     * @throws KilnException if there is no connection, no JDK to run it, or no room
     */
    public static void ship(Where where, boolean mayBeAbsent) {
        try {
            places(where).forEach(place -> ship(shell(place), mayBeAbsent));
        } catch (NothingThere absent) {
            if (!mayBeAbsent) {
                throw absent;
            }
        }
    }

    /**
     * Returns the place of each process that is meant: several only of a deployment that is to have several pods.
     *
     * @throws KilnException unless it has as many
     */
    public static List<Where> places(Where where) {
        return where instanceof Where.Running running && running.point() instanceof AttachPoint.KubePod pod
                ? PodShell.each(pod).stream().<Where>map(Where.Running::new).toList()
                : List.of(where);
    }

    /** Returns what tells the places of a target from those that take it over; none where there is none, or none can be told. */
    public static Set<String> identities(Where where) {
        try {
            return places(where).stream()
                    .flatMap(place -> shell(place).identity().stream())
                    .collect(Collectors.toUnmodifiableSet());
        } catch (NothingThere absent) {
            return Set.of();
        }
    }

    private static void ship(FarShell shell, boolean mayBeAbsent) {
        Delivery delivery = new Delivery(shell, sent -> {});
        if (delivery.java(mayBeAbsent)) {
            delivery.send(Shipment.ofThisKiln());
        }
    }

    /** Sends what the command of a built workload needs, if that place does not have it yet. */
    public static void shipWorkload(Target workload) {
        new Delivery(shell(workload.where()), sent -> {}).send(Shipment.ofWorkload(workload));
    }

    /**
     * Starts an agent.
     *
     * @param target that is elsewhere, in the folder of its workload, if it is one
     * @param prefix words before the command that leads there, for its session, CPUs and end
     * @param interrupted says how long ago the user ended everything; empty where nobody has
     */
    public static RemoteKiln start(
            Target target, List<String> prefix, CpuRequest cpus, Supplier<Optional<Duration>> interrupted) {
        return start(shell(target.where()), target, prefix, cpus, interrupted);
    }

    /**
     * Starts an agent in a place that has come anew.
     *
     * @param before identities of the places that it takes over
     * @param interrupted says how long ago the user ended everything; empty where nobody has
     * @param found what is done once it is known to be a new one
     * @throws KilnException as long as there is no new one
     */
    public static RemoteKiln startAnew(
            Target target,
            Set<String> before,
            List<String> prefix,
            CpuRequest cpus,
            Supplier<Optional<Duration>> interrupted,
            Runnable found) {
        FarShell shell = shell(target.where());
        if (shell.identity().filter(before::contains).isPresent()) {
            throw new NothingThere(
                    Exit.USAGE,
                    shell.name() + " is the one that ran before the command began",
                    "the command must make a new pod or container, as kubectl rollout restart does");
        }
        found.run();
        ship(shell, false);
        return start(shell, target, prefix, cpus, interrupted);
    }

    private static RemoteKiln start(
            FarShell shell,
            Target target,
            List<String> prefix,
            CpuRequest cpus,
            Supplier<Optional<Duration>> interrupted) {
        Optional<Shipment> workload = target.workload().map(name -> Shipment.ofWorkload(target));
        String script = FarScripts.start(Shipment.ofThisKiln(), workload, AgentMain.class.getName());
        AgentLink link = new AgentLink(shell, prefix, script, interrupted);
        try {
            return new RemoteKiln(shell, link, begin(shell, link, cpus));
        } catch (RuntimeException e) {
            link.close();
            throw e;
        }
    }

    static Tell.Begun begin(FarShell shell, AgentLink link, CpuRequest cpus) {
        Tell.Begun begun = link.ask(new Ask.Begin(cpus), Tell.Begun.class, START);
        if (begun.protocol() != Wire.PROTOCOL) {
            throw KilnException.machine(
                    shell.name() + ": the agent there speaks protocol " + begun.protocol() + ", and this Kiln "
                            + Wire.PROTOCOL,
                    "delete kiln/agent-* in its ~/.cache, so that Kiln sends its own agent again");
        }
        return begun;
    }

    /**
     * Returns what is to be said of a wall clock that is wrong by minutes; empty for any other. No time of a run depends
     * on it.
     *
     * @param here the wall clock of this machine
     * @param there that of the agent at the same moment, but for the way of a message
     */
    static Optional<String> clockNote(String name, long here, long there) {
        Duration ahead = Duration.ofMillis(there - here);
        return ahead.abs().compareTo(CLOCKS_DIFFER) < 0
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "the clock of %s is %.1f min %s that of this machine: the times in its own logs differ by that,"
                                + " those of this run do not",
                        name,
                        ahead.abs().toMillis() / 60e3,
                        ahead.isNegative() ? "behind" : "ahead of"));
    }

    /** Returns what is to be said of the place beside the target. */
    public List<String> notes() {
        return notes;
    }

    public Tell.Begun begun() {
        return begun;
    }

    /** Returns the name or address of that place for the load. */
    public String address() {
        return shell.address();
    }

    /** Fails unless that machine can connect to this port of this one. */
    public void requireReach(String address, int port) {
        link.ask(new Ask.Reach(address, port), Tell.Reached.class, LAUNCH);
    }

    /**
     * Launches a target.
     *
     * @param writer takes what is recorded
     * @param log takes the target's output
     */
    public RemoteTarget launch(Ask.LaunchTarget launch, RunWriter writer, Path log) {
        return launched(launch, told -> told, writer, log);
    }

    /**
     * Attaches to a process that runs already.
     *
     * @param writer takes what is recorded
     */
    public RemoteTarget attach(AttachPoint point, boolean jitQueries, boolean threadDumps, RunWriter writer, Path log) {
        return launched(shell.attach(point, jitQueries, threadDumps), told -> told.named(point.text()), writer, log);
    }

    /**
     * Attaches to a process that a command has brought. It may be asked again while there is none.
     *
     * @param sinceNanos the monotonic clock here at the begin of the command
     * @param writer takes what is recorded
     * @throws KilnException while there is none, or one that ran before
     */
    public RemoteTarget attachNew(
            AttachPoint point, boolean jitQueries, boolean threadDumps, long sinceNanos, RunWriter writer, Path log) {
        ClockOffset offset = clock.orElseGet(() -> link.measureClock(EXCHANGES, CLOCK));
        clock = Optional.of(offset);
        Ask.AttachTarget ask = shell.attach(point, jitQueries, threadDumps)
                .since(sinceNanos - offset.nanos() - offset.uncertaintyNanos());
        return launched(ask, told -> told.named(point.text()), writer, log).asFresh();
    }

    /** Tells whether the agent is gone, as with its container. */
    public boolean isLost() {
        return link.isLost();
    }

    private RemoteTarget launched(Ask ask, UnaryOperator<Tell.Launched> named, RunWriter writer, Path log) {
        ClockOffset offset = clock.orElseGet(() -> link.measureClock(EXCHANGES, CLOCK));
        RemoteTarget target = new RemoteTarget(shell.name(), link, offset, writer, log);
        target.launched(named.apply(link.ask(ask, Tell.Launched.class, LAUNCH)));
        return target;
    }

    @Override
    public void close() {
        link.close();
    }
}
