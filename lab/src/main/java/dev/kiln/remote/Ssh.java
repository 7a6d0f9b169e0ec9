package dev.kiln.remote;

import dev.kiln.host.process.Programs;
import dev.kiln.model.KilnException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * An Ssh is the user's own {@code ssh} to one host, so that the user's configuration gives names, ports, keys and
 * jumps. It never asks for a password.
 *
 * @param host in the form that ssh takes: {@code box} or {@code user@box}
 */
public record Ssh(String host) {
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

    /** An Input writes the input of the remote command. */
    interface Input {
        void writeTo(OutputStream out) throws IOException;
    }

    /** An SshEnd is the end of a remote command: its exit code, and what it wrote. */
    record SshEnd(int exit, String said) {}

    /** Returns the command that runs a POSIX shell script on the other machine. */
    List<String> command(String script) {
        List<String> command = new ArrayList<>(List.of(program()));
        command.addAll(OPTIONS);
        // The user's shell there must quote like sh, also over several lines. csh does not.
        command.addAll(List.of("--", host, "exec sh -c '" + script.replace("'", "'\\''") + "'"));
        return command;
    }

    /**
     * Runs a script on the other machine to its end.
     *
     * @throws KilnException if there is no connection
     */
    SshEnd run(String script, Input input) {
        try {
            Process process = new ProcessBuilder(command(script))
                    .redirectErrorStream(true)
                    .start();
            CompletableFuture<String> said = CompletableFuture.supplyAsync(() -> read(process));
            try (OutputStream out = process.getOutputStream()) {
                input.writeTo(out);
            } catch (IOException e) {
                // It ended before it read everything. Its output tells why.
                process.waitFor();
            }
            int exit = process.waitFor();
            if (exit == NO_CONNECTION) {
                throw noConnection(said.join());
            }
            return new SshEnd(exit, said.join().strip());
        } catch (IOException e) {
            throw KilnException.machine("cannot run ssh: " + e.getMessage(), "install an OpenSSH client", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw KilnException.machine("interrupted while talking to " + host, "run it again", e);
        }
    }

    private static String read(Process process) {
        try (var in = process.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    KilnException noConnection(String said) {
        return KilnException.machine(
                "no SSH connection to " + host + ": " + lastLine(said),
                "it must work without a password: ssh -o BatchMode=yes " + host + " true");
    }

    KilnException noJdk() {
        return KilnException.machine(
                host + ": found no JDK 25 or later there, and Kiln's recorder needs one",
                "install one there, or set KILN_JAVA_HOME for its SSH sessions; the target may use a different JDK");
    }

    static String lastLine(String said) {
        List<String> lines =
                said.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
        return lines.isEmpty() ? "ssh said nothing" : lines.getLast();
    }

    /**
     * Returns the machine's name or address behind an alias of the user's configuration, for other programs than ssh.
     */
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
