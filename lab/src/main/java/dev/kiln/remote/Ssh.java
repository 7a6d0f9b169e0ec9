package dev.kiln.remote;

import dev.kiln.host.process.Programs;
import dev.kiln.model.KilnException;
import java.util.ArrayList;
import java.util.List;

/**
 * An Ssh is the user's own {@code ssh} to one host, so that the user's configuration gives names, ports, keys and
 * jumps. It never asks for a password.
 *
 * @param host in the form that ssh takes: {@code box} or {@code user@box}
 */
record Ssh(String host) implements FarShell {
    /** The client ssh ends with this code when it gets no connection. */
    private static final int NO_CONNECTION = 255;

    private static final List<String> OPTIONS = List.of(
            "-T",
            "-o",
            "BatchMode=yes",
            "-o",
            "ConnectTimeout=10",
            // A command, a shared connection or a forwarding of the user's configuration would take the place of Kiln's
            // command, hold its output open or find its port taken.
            "-o",
            "RemoteCommand=none",
            "-o",
            "ControlPath=none",
            "-o",
            "ClearAllForwardings=yes",
            "-o",
            "PermitLocalCommand=no",
            "-o",
            "ServerAliveInterval=5",
            "-o",
            "ServerAliveCountMax=4");

    @Override
    public String name() {
        return host;
    }

    @Override
    public String giving(String variable, String value) {
        return "set " + variable + " for its SSH sessions";
    }

    @Override
    public List<String> command(String script) {
        List<String> command = new ArrayList<>(List.of(program()));
        command.addAll(OPTIONS);
        // The user's shell there must quote like sh, also over several lines. csh does not.
        command.addAll(List.of("--", host, "exec sh -c '" + script.replace("'", "'\\''") + "'"));
        return command;
    }

    @Override
    public boolean isCut(int exit) {
        return exit == NO_CONNECTION;
    }

    @Override
    public KilnException noConnection(String said) {
        return KilnException.machine(
                "no SSH connection to " + host + ": " + FarShell.lastLine(said),
                "it must work without a password: ssh -o BatchMode=yes " + host + " true");
    }

    /**
     * Returns the machine's name or address behind an alias of the user's configuration, for other programs than ssh.
     */
    @Override
    public String address() {
        return Programs.run(List.of(program(), "-G", "--", host))
                .output()
                .lines()
                .filter(line -> line.startsWith("hostname "))
                .map(line -> line.substring("hostname ".length()).strip())
                .findFirst()
                .orElse(host.substring(host.lastIndexOf('@') + 1));
    }

    private static String program() {
        return Programs.find("ssh")
                .orElseThrow(() -> KilnException.machine(
                        "a target on another machine needs ssh, and there is none in the PATH",
                        "install an OpenSSH client: apt-get install openssh-client, or dnf install openssh-clients"))
                .toString();
    }
}
