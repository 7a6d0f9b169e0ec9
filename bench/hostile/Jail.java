import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A JVM whose root is a folder of its own, as in a container, made by a user without rights: {@code /tmp} leads to a folder
 * of root's, or its CPU quota is a pipe or a device without an end. Needs user namespaces.
 *
 * @param process the JVM
 * @param vault where {@code /tmp} leads, seen from outside; empty as long as nobody was led there
 */
record Jail(Process process, Path vault) implements AutoCloseable {
    static final List<String> KINDS = List.of("tmplink", "fifo", "zero");

    private static final String NOBODY = "65534";
    private static final String IDLE =
            "public class Idle { public static void main(String[] a) throws Exception { Thread.sleep(600_000); } }\n";
    private static final String ENTER = """
            set -e
            cd "$1"
            for d in usr lib lib64 proc etc dev; do
              [ ! -e /$d ] || { mkdir -p $d; mount --rbind /$d $d; }
            done
            mkdir -p jdk; mount --bind "$2" jdk
            exec chroot . /jdk/bin/java -Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 /e/Idle.java
            """;

    static Jail of(String kind, Path scratch) throws IOException, InterruptedException {
        Path root = Files.createDirectory(scratch.resolve("jail-" + kind));
        Path vault = Files.createDirectory(scratch.resolve("vault-" + kind));
        Path cgroup = Files.createDirectories(root.resolve("sys/fs/cgroup"));
        Files.writeString(Files.createDirectory(root.resolve("e")).resolve("Idle.java"), IDLE);
        switch (kind) {
            case "tmplink" -> Files.createSymbolicLink(root.resolve("tmp"), vault);
            case "fifo" -> new ProcessBuilder("mkfifo", cgroup.resolve("cpu.max").toString()).start().waitFor();
            default -> Files.createSymbolicLink(cgroup.resolve("cpu.max"), Path.of("/dev/zero"));
        }
        if (!kind.equals("tmplink")) {
            Files.createDirectory(root.resolve("tmp"));
        }
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
            // The vault stays root's, for nobody else.
            Files.setPosixFilePermissions(vault, PosixFilePermissions.fromString("rwx------"));
            Files.setPosixFilePermissions(scratch, PosixFilePermissions.fromString("rwxr-xr-x"));
            try (Stream<Path> all = Files.walk(root)) {
                for (Path file : all.filter(file -> !Files.isSymbolicLink(file)).toList()) {
                    Files.setAttribute(file, "unix:uid", Integer.valueOf(NOBODY));
                }
            }
        }
        command.addAll(List.of("unshare", "--map-root-user", "--mount", "bash", "-c", ENTER, "jail", root.toString(), System.getProperty("java.home")));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(scratch.resolve("jailed").toFile()).start();
        // Its source is compiled first, and its counters are there before.
        for (int i = 0; i < 50 && process.isAlive() && !isThere(process); i++) {
            Thread.sleep(200);
        }
        return new Jail(process, vault);
    }

    private static boolean isThere(Process process) throws IOException {
        return process.info().command().orElse("").endsWith("/java")
                && Files.readAllLines(Path.of("/proc/" + process.pid() + "/maps")).stream().anyMatch(line -> line.endsWith("/libjvm.so"));
    }

    boolean isAlive() {
        return process.isAlive();
    }

    boolean ledOutside() throws IOException {
        try (Stream<Path> made = Files.list(vault)) {
            return made.findAny().isPresent();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
