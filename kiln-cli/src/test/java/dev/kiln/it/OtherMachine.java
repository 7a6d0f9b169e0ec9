package dev.kiln.it;

import dev.kiln.host.process.Programs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/**
 * Another machine called {@code box}, as far as ssh can tell: this one, behind a real sshd where there is one, else behind
 * a stand-in for ssh that runs the command it is given. Its homes of cache and state are its own.
 */
final class OtherMachine {
    /** An address of this machine from which the other one is reached, and not the first that programs think of. */
    static final String HERE = "127.0.0.3";

    private final Sandbox sandbox;
    private final Path folder;

    OtherMachine(Sandbox sandbox, boolean real) {
        this.sandbox = sandbox;
        try {
            folder = Files.createDirectory(sandbox.root().resolve("ssh"));
            String call = real
                    ? "exec " + Programs.find("ssh").orElseThrow() + " -F " + folder + "/config \"$@\"\n"
                    : standIn();
            Path ssh = Files.writeString(folder.resolve("ssh"), "#!/bin/sh\n" + call);
            Files.setPosixFilePermissions(ssh, PosixFilePermissions.fromString("rwxr-xr-x"));
            if (real) {
                sshd();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static boolean sshdIsHere() {
        return Programs.find("sshd").isPresent() && Programs.find("ssh-keygen").isPresent();
    }

    /** Where it keeps what is sent to it. */
    Path cache() {
        return sandbox.root().resolve("box-cache/kiln");
    }

    /**
     * Runs an experiment, in which ssh finds the machine.
     *
     * @param jvm that Kiln runs in
     */
    Kiln run(ProcessBuilder jvm, String experiment) {
        jvm.environment().put("PATH", folder + ":" + System.getenv("PATH"));
        return Kiln.start(
                sandbox,
                jvm,
                "run",
                sandbox.file("box.yaml", experiment).toString(),
                "--results",
                sandbox.results().toString());
    }

    private Map<String, String> environment() {
        return Map.of(
                "XDG_CACHE_HOME", sandbox.root().resolve("box-cache").toString(),
                "XDG_STATE_HOME", sandbox.root().resolve("box-state").toString(),
                "KILN_JAVA_HOME", System.getProperty("java.home"),
                "TMPDIR", sandbox.temporary().toString(),
                // A flag that no JVM takes: it must not reach the agent.
                "JDK_JAVA_OPTIONS", "-XX:NoSuchFlagOfAnyJvm");
    }

    /** Knows but one machine. */
    private String standIn() {
        StringBuilder script = new StringBuilder("export SSH_CONNECTION='" + HERE + " 50022 127.0.0.1 22'\n");
        environment().forEach((name, value) -> script.append("export " + name + "='" + value + "'\n"));
        return script + """
                [ "$1" != -G ] || { echo 'hostname localhost'; exit 0; }
                while [ "$1" != -- ]; do shift; done
                shift
                [ "$1" = box ] || { echo "ssh: Could not resolve hostname $1: Name or service not known" >&2; exit 255; }
                shift
                # As a child: what kills ssh does not reach over there.
                sh -c "$*"
                """;
    }

    private void sshd() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        for (String key : List.of("host", "user")) {
            Programs.run(List.of("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder.resolve(key) + ""));
        }
        StringBuilder variables = new StringBuilder("SetEnv " + sandbox.mark());
        environment().forEach((name, value) -> variables.append(" " + name + "=" + value));
        Files.writeString(
                folder.resolve("sshd_config"), """
                        Port %d
                        ListenAddress 127.0.0.1
                        HostKey DIR/host
                        AuthorizedKeysFile DIR/user.pub
                        StrictModes no
                        UsePAM no
                        PermitRootLogin prohibit-password
                        PidFile none
                        %s
                        """.formatted(port, variables).replace("DIR", folder.toString()));
        // What people have in their configurations for sessions of their own, and what broke or hung Kiln's.
        Files.writeString(folder.resolve("config"), """
                        Host box
                          RemoteCommand tmux attach
                          RequestTTY force
                          ControlMaster auto
                          ControlPath DIR/%%C
                          ControlPersist 10m
                          LocalForward 127.0.0.1:%d 127.0.0.1:22
                          ExitOnForwardFailure yes
                          ForwardAgent yes
                          ForwardX11 yes
                          PermitLocalCommand yes
                          LocalCommand echo this is no answer
                          HostName 127.0.0.1
                          BindAddress HERE
                          Port %d
                          User %s
                          IdentityFile DIR/user
                          UserKnownHostsFile /dev/null
                          StrictHostKeyChecking no
                          LogLevel ERROR
                        """.formatted(port, port, System.getProperty("user.name"))
                .replace("DIR", folder.toString())
                .replace("HERE", HERE));
        // A real sshd of root's wants its folder.
        Path privileges = Path.of("/run/sshd");
        if (Files.isWritable(Path.of("/run"))) {
            Files.createDirectories(privileges);
        }
        String sshd = Programs.find("sshd").orElseThrow().toString();
        new ProcessBuilder(sshd, "-D", "-f", folder.resolve("sshd_config").toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("sshd.log").toFile())
                .start();
    }
}
