package dev.kiln.remote;

import dev.kiln.evidence.RunWriter;
import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Kiln's agent on another machine. It ends, and its target with it, when this is closed or Kiln dies. */
public final class RemoteKiln implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration LAUNCH = Duration.ofSeconds(30);
    private static final Duration CLOCK = Duration.ofSeconds(20);

    /** More than necessary, because the first exchanges are slow while the agent's JVM is cold. */
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
        Shipment shipment = Shipment.ofThisKiln();
        if (ssh.run(Shipment.Scripts.isThere(shipment), OutputStream::flush).exit() == 0) {
            return;
        }
        Ssh.Ended received = ssh.run(Shipment.Scripts.receive(shipment), shipment::writeTo);
        if (received.exit() != 0) {
            throw new KilnException(
                    Exit.MACHINE,
                    host + ": cannot store Kiln's recorder there: " + Ssh.lastLine(received.said()),
                    "make room in its ~/.cache/kiln, or set XDG_CACHE_HOME for its SSH sessions; it needs sh and tar");
        }
    }

    /**
     * Starts an agent.
     *
     * @param prefix words before the ssh command, for its session, CPUs and end
     */
    public static RemoteKiln start(String host, List<String> prefix, CpuRequest cpus) {
        Ssh ssh = new Ssh(host);
        AgentLink link =
                new AgentLink(ssh, prefix, Shipment.Scripts.start(Shipment.ofThisKiln(), AgentMain.class.getName()));
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

    /** The machine's address for other programs than ssh. */
    public String address() {
        return ssh.address();
    }

    /**
     * Launches a target.
     *
     * @param writer takes what is recorded
     * @param log takes the target's output
     */
    public RemoteTarget launch(Ask.Launch launch, RunWriter writer, Path log) {
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
