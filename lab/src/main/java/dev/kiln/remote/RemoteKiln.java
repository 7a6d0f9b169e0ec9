package dev.kiln.remote;

import dev.kiln.evidence.RunWriter;
import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Target;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A RemoteKiln is Kiln's agent on another machine. It ends, and its target with it, when this is closed or Kiln dies.
 */
public final class RemoteKiln implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration LAUNCH = Duration.ofSeconds(30);
    private static final Duration CLOCK = Duration.ofSeconds(20);

    /**
     * The number of exchanges is larger than necessary, because the first ones are slow while the agent's JVM is cold.
     */
    private static final int EXCHANGES = 200;

    private final Ssh ssh;
    private final AgentLink link;
    private final Tell.Begun begun;

    private RemoteKiln(Ssh ssh, AgentLink link, Tell.Begun begun) {
        this.ssh = ssh;
        this.link = link;
        this.begun = begun;
    }

    /**
     * Sends Kiln to a machine that does not have it yet.
     *
     * @throws KilnException if there is no connection, no JDK to run it, or no room
     */
    public static void ship(String host) {
        Ssh ssh = new Ssh(host);
        if (ssh.run(Shipment.Scripts.hasJdk(), OutputStream::flush).exit() != 0) {
            throw ssh.noJdk();
        }
        send(ssh, Shipment.ofThisKiln());
    }

    /** Sends what the command of a built workload needs, if that machine does not have it yet. */
    public static void ship(String host, Target workload) {
        send(new Ssh(host), Shipment.ofWorkload(workload));
    }

    private static void send(Ssh ssh, Shipment shipment) {
        if (ssh.run(Shipment.Scripts.isThere(shipment), OutputStream::flush).exit() == 0) {
            return;
        }
        Ssh.SshEnd received = ssh.run(Shipment.Scripts.receive(shipment), shipment::writeTo);
        if (received.exit() != 0) {
            throw KilnException.machine(
                    ssh.host() + ": cannot store " + shipment.what() + " there: " + Ssh.lastLine(received.said()),
                    "make room in its ~/.cache/kiln, or set XDG_CACHE_HOME for its SSH sessions; it needs sh and tar");
        }
    }

    /**
     * Starts an agent.
     *
     * @param target in the folder of its workload, if it is one
     * @param prefix words before the ssh command, for its session, CPUs and end
     */
    public static RemoteKiln start(String host, Target target, List<String> prefix, CpuRequest cpus) {
        Ssh ssh = new Ssh(host);
        Optional<Shipment> workload = target.workload().map(name -> Shipment.ofWorkload(target));
        String script = Shipment.Scripts.start(Shipment.ofThisKiln(), workload, AgentMain.class.getName());
        AgentLink link = new AgentLink(ssh, prefix, script);
        try {
            return new RemoteKiln(ssh, link, link.ask(new Ask.Begin(cpus), Tell.Begun.class, START));
        } catch (RuntimeException e) {
            link.close();
            throw e;
        }
    }

    public Tell.Begun begun() {
        return begun;
    }

    /** Returns the machine's address for other programs than ssh. */
    public String address() {
        return ssh.address();
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
        ClockOffset offset = link.measureClock(EXCHANGES, CLOCK);
        RemoteTarget target = new RemoteTarget(ssh.host(), link, offset, writer, log);
        target.launched(link.ask(launch, Tell.Launched.class, LAUNCH));
        return target;
    }

    @Override
    public void close() {
        link.close();
    }
}
