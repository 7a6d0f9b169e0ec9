import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A KillPlace is a folder in which one Kiln is killed, with results, state and temporary files of its own. A mark in the
 * environment, which all processes inherit, finds what still runs.
 */
class KillPlace implements AutoCloseable {
    private static final String MARK = "KILN_KILLS";
    private static final long PATIENCE_SECONDS = 120;

    final Path folder;
    private final Path root;
    private final List<String> kilnWords;
    private final String mark = UUID.randomUUID().toString();

    /**
     * @param root Kiln's folder
     * @param kilnWords what java is given to run Kiln
     * @param more folders in this one
     */
    KillPlace(Path root, List<String> kilnWords, String... more) throws IOException {
        this.root = root;
        this.kilnWords = kilnWords;
        folder = Files.createTempDirectory("kiln-bench-kills-");
        for (String name : Stream.concat(Stream.of("results", "state", "tmp"), Stream.of(more)).toList()) {
            Files.createDirectory(folder.resolve(name));
        }
    }

    /** What is sent to the other machine is kept from place to place, with the build that it is of. */
    final Path agents() {
        return root.resolve("kiln-cli/target/kills-agent");
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    static int port() throws IOException {
        try (var socket = new java.net.ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    static void kill(long pid, String signal) throws Exception {
        new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start().waitFor();
    }

    static String text(long pid, String file) {
        try {
            return Files.readString(Path.of("/proc/" + pid, file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    Path script(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + text);
        file.toFile().setExecutable(true);
        return file;
    }

    /** The service whose Kiln is killed, as source. */
    String target() {
        return root.resolve("bench/kills/Target.java").toString();
    }

    /** What Kiln's environment has besides. */
    Map<String, String> environment() {
        return Map.of();
    }

    /** Starts Kiln. */
    Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "env", "--default-signal=INT", java(),
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + folder.resolve("tmp"),
                "-Dkiln.driver.warmUpSeconds=1", "-Dkiln.root=" + root));
        command.addAll(kilnWords);
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("said").toFile()));
        builder.environment().put("XDG_STATE_HOME", folder.resolve("state").toString());
        builder.environment().put(MARK, mark);
        builder.environment().putAll(environment());
        return builder.start();
    }

    /** Returns the exit code of a Kiln. One that hangs is a fault, and ended. */
    int end(Process kiln, List<String> faults) throws Exception {
        if (!isOver(kiln)) {
            faults.add("Kiln hung: " + said());
            kiln.descendants().forEach(ProcessHandle::destroyForcibly);
            kiln.destroyForcibly().waitFor();
        }
        return kiln.exitValue();
    }

    static boolean isOver(Process kiln) throws InterruptedException {
        return kiln.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** The next start removes what a killed Kiln left. */
    void next() throws Exception {
        isOver(start("startup", "--pairs", "2", "--discard", "0", "--results", folder.resolve("next").toString(), "true", "true"));
    }

    /** What runs with the mark, lies in the temporary folder, or is noted in the state. */
    List<String> left() throws IOException {
        List<String> left = new ArrayList<>(processes());
        try (Stream<Path> tmp = Files.list(folder.resolve("tmp"));
                Stream<Path> state = Files.walk(folder.resolve("state"))) {
            Stream.concat(tmp, state.filter(Files::isRegularFile)).map(Path::toString).forEach(left::add);
        }
        return left;
    }

    /** The same when it had some seconds to go. */
    List<String> leftAtLast() throws Exception {
        List<String> left = left();
        for (int i = 0; i < 50 && !left.isEmpty(); i++) {
            Thread.sleep(100);
            left = left();
        }
        return left;
    }

    /** Living processes with the mark, as "pid command". */
    List<String> processes() {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> text(pid, "environ").contains(MARK + "=" + mark))
                .filter(pid -> !text(pid, "stat").matches("(?s).*\\) [ZX] .*"))
                .map(pid -> pid + " " + text(pid, "cmdline").replace('\0', ' '))
                .toList();
    }

    String said() throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve("said"));
        return String.join(" / ", lines.subList(Math.max(0, lines.size() - 3), lines.size()));
    }

    @Override
    public void close() throws IOException {
        for (String process : processes()) {
            ProcessHandle.of(Long.parseLong(process.substring(0, process.indexOf(' '))))
                    .ifPresent(ProcessHandle::destroyForcibly);
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
