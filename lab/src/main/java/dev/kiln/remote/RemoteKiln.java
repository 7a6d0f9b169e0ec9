package dev.kiln.remote;

import dev.kiln.evidence.RunWriter;
import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Where.AttachPoint;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.experiment.Where.HostPlace;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A RemoteKiln is Kiln's agent beside a target. It ends, and a target that it launched with it, when this is closed or
 * Kiln dies.
 */
public final class RemoteKiln implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration LAUNCH = Duration.ofSeconds(30);
    private static final Duration CLOCK = Duration.ofSeconds(20);

    /** A question to a shell there has this long. */
    private static final Duration ANSWER = Duration.ofSeconds(60);

    /** As long as a workload of some 100 MB takes over a slow line. */
    private static final Duration SHIP = Duration.ofMinutes(15);

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

    private RemoteKiln(FarShell shell, AgentLink link, Tell.Begun begun) {
        this.shell = shell;
        this.link = link;
        this.begun = begun;
        notes = new ArrayList<>(begun.swept());
        clockNote(shell.name(), System.currentTimeMillis(), begun.epochMillis()).ifPresent(notes::add);
    }

    /** Returns the shell beside a target that is elsewhere. */
    private static FarShell shell(Where where) {
        if (where instanceof Where.Running running && running.point() instanceof AttachPoint.KubePod pod) {
            return PodShell.find(pod);
        }
        HostPlace place = where.elsewhere().orElseThrow();
        return place.isPiped() ? new Pipe(place) : new Ssh(place.name());
    }

    /**
     * Sends Kiln to a place that does not have it yet.
     *
     * @throws KilnException if there is no connection, no JDK to run it, or no room
     */
    public static void ship(Where where) {
        FarShell shell = shell(where);
        FarShell.ShellEnd end = shell.run(
                Shipment.Scripts.fits(),
                ANSWER,
                out -> out.write(Shipment.Scripts.INPUT.getBytes(StandardCharsets.UTF_8)));
        switch (end.exit()) {
            case 0 -> send(shell, Shipment.ofThisKiln());
            case Shipment.Scripts.NO_JDK -> throw shell.noJdk(Shipment.Scripts.javas(end.said()));
            case Shipment.Scripts.NO_INPUT ->
                throw KilnException.usage(
                        shell.name() + ": what Kiln writes does not arrive there",
                        "the command must pass its input on: podman exec -i, docker exec -i, kubectl exec -i POD --");
            default -> throw shell.noConnection(end.said());
        }
    }

    /** Sends what the command of a built workload needs, if that place does not have it yet. */
    public static void shipWorkload(Target workload) {
        send(shell(workload.where()), Shipment.ofWorkload(workload));
    }

    private static void send(FarShell shell, Shipment shipment) {
        if (shell.run(Shipment.Scripts.isThere(shipment), ANSWER, OutputStream::flush)
                        .exit()
                == 0) {
            return;
        }
        FarShell.ShellEnd received = shell.run(Shipment.Scripts.receive(shipment), SHIP, shipment::writeTo);
        if (received.exit() != 0) {
            throw KilnException.machine(
                    shell.name() + ": cannot store " + shipment.what() + " there: "
                            + FarShell.lastLine(received.said()),
                    "make room in its ~/.cache/kiln and let it write there, or "
                            + shell.giving("XDG_CACHE_HOME", "/tmp") + "; it needs sh and tar");
        }
    }

    /**
     * Starts an agent.
     *
     * @param target that is elsewhere, in the folder of its workload, if it is one
     * @param prefix words before the command that leads there, for its session, CPUs and end
     */
    public static RemoteKiln start(Target target, List<String> prefix, CpuRequest cpus) {
        FarShell shell = shell(target.where());
        Optional<Shipment> workload = target.workload().map(name -> Shipment.ofWorkload(target));
        String script = Shipment.Scripts.start(Shipment.ofThisKiln(), workload, AgentMain.class.getName());
        AgentLink link = new AgentLink(shell, prefix, script);
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

    private RemoteTarget launched(Ask ask, UnaryOperator<Tell.Launched> named, RunWriter writer, Path log) {
        ClockOffset offset = link.measureClock(EXCHANGES, CLOCK);
        RemoteTarget target = new RemoteTarget(shell.name(), link, offset, writer, log);
        target.launched(named.apply(link.ask(ask, Tell.Launched.class, LAUNCH)));
        return target;
    }

    @Override
    public void close() {
        link.close();
    }
}
