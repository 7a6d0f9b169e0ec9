package dev.kiln.it;

import dev.kiln.cli.Main;
import dev.kiln.evidence.RunReader;
import dev.kiln.host.proc.Cgroups;
import dev.kiln.model.run.RunEvidence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A place of a test's own for all that Kiln writes, and a way to find every process that came of it: by a mark that all
 * children inherit, by the place in their command line, or by working in it.
 */
final class Sandbox implements AutoCloseable {
    /** Seconds after which the load driver is hot enough. */
    static final String WARM_UP = "kiln.driver.warmUpSeconds";

    private static final String MARK = "KILN_IT";

    private final String mark = UUID.randomUUID().toString();
    private final Path root;

    Sandbox() {
        try {
            // Anyone may pass through: a database that root starts runs as somebody else.
            root = Files.createTempDirectory(
                    Path.of("/tmp"),
                    "it-kiln-",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
            for (Path folder : List.of(root, results(), state(), temporary())) {
                Files.createDirectories(folder);
                Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path root() {
        return root;
    }

    /** What the environment of its processes says: for those that are not started by it. */
    String mark() {
        return MARK + "=" + mark;
    }

    Path results() {
        return root.resolve("results");
    }

    Path state() {
        return root.resolve("state");
    }

    Path temporary() {
        return root.resolve("tmp");
    }

    Path file(String name, String text) {
        try {
            return Files.writeString(root.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A child JVM with Kiln in it, whose every trace can be told from others'. */
    ProcessBuilder jvm(List<String> prefix, String classPath, String mainClass) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + temporary(),
                "-D" + WARM_UP + "=" + System.getProperty(WARM_UP, "20"),
                "-cp",
                classPath,
                mainClass));
        ProcessBuilder builder = new ProcessBuilder(command).directory(root.toFile());
        builder.environment().put("XDG_STATE_HOME", state().toString());
        builder.environment().put(MARK, mark);
        return builder;
    }

    /** As {@link #jvm(List, String, String)}, with Kiln as it is built here. */
    ProcessBuilder jvm() {
        // A shell starts its background jobs deaf to Ctrl-C, and their children inherit it.
        return jvm(List.of("env", "--default-signal=INT"));
    }

    ProcessBuilder jvm(List<String> prefix) {
        ProcessBuilder builder = jvm(prefix, KilnJar.CLASS_PATH, Main.class.getName());
        builder.command().addAll(builder.command().indexOf("-cp"), KilnJar.FLAGS);
        return builder;
    }

    /** What was killed is gone a moment later. */
    void awaitNoProcess() {
        Waiting.until("all processes to end", () -> processes().isEmpty());
    }

    /** Everything alive that came of this place, as "pid command". */
    List<String> processes() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != ProcessHandle.current().pid())
                .filter(process -> isOurs(process.pid()))
                .map(process ->
                        process.pid() + " " + text(process.pid(), "cmdline").replace('\0', ' '))
                .toList();
    }

    /** The pids of living processes of ours whose command holds {@code part}. */
    List<Long> pids(String part) {
        return processes().stream()
                .filter(process -> process.contains(part))
                .map(process -> Long.parseLong(process.substring(0, process.indexOf(' '))))
                .toList();
    }

    private boolean isOurs(long pid) {
        boolean alive = !text(pid, "stat").matches("(?s).*\\) [ZX] .*");
        return alive
                && (text(pid, "environ").contains(MARK + "=" + mark)
                        || text(pid, "cmdline").contains(root.toString())
                        || workingDirectory(pid).startsWith(root.toString()));
    }

    /** Tells whether a command ends well on this machine; false where there is none. */
    static boolean works(String... command) {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String text(long pid, String file) {
        try {
            return Files.readString(
                    Path.of("/proc", Long.toString(pid), file), java.nio.charset.StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    private static String workingDirectory(long pid) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "cwd"))
                    .toString();
        } catch (IOException e) {
            return "";
        }
    }

    /** What Kiln has put into its temporary folder and its state and not taken away again. */
    List<Path> remains() {
        try (Stream<Path> temporary = Files.list(temporary());
                Stream<Path> state = Files.walk(state())) {
            return Stream.concat(temporary, state.filter(Files::isRegularFile)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The run's folder, wherever the experiment's has been put; it may not exist yet. */
    Path run(String variant) {
        try (Stream<Path> experiments = Files.list(results())) {
            return experiments
                    .map(experiment -> experiment.resolve(variant).resolve("1"))
                    .filter(Files::isDirectory)
                    .findFirst()
                    .orElse(results().resolve("none"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The folder of the experiment that was put here. */
    Path experiment() throws IOException {
        try (Stream<Path> folders = Files.list(results())) {
            return folders.filter(Files::isDirectory).findFirst().orElseThrow();
        }
    }

    RunEvidence evidence(String variant) {
        return RunReader.read(run(variant));
    }

    /** Load of the run has been recorded, so it is going on. */
    boolean isLoaded(String variant) {
        return run(variant).resolve("load.csv").toFile().length() > 1000;
    }

    /** The same of the only variant. */
    boolean isLoaded() {
        return isLoaded("baseline");
    }

    /** A Kiln that a test killed has left its cgroups, and its book says which. */
    private void removeCgroups() {
        try (Stream<Path> books = Files.walk(state())) {
            for (Path book : books.filter(Files::isRegularFile).toList()) {
                for (String line : Files.readAllLines(book)) {
                    Path cgroup = Path.of(line.replaceFirst("^cgroup ", ""));
                    if (line.startsWith("cgroup ") && Files.isDirectory(cgroup)) {
                        Cgroups.delete(cgroup);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        processes()
                .forEach(process -> ProcessHandle.of(Long.parseLong(process.substring(0, process.indexOf(' '))))
                        .ifPresent(ProcessHandle::destroyForcibly));
        Waiting.until("the test's processes to end", () -> processes().isEmpty());
        removeCgroups();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
