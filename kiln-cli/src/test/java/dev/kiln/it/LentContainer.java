package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A container of podman that others started: an image of empty folders, with this machine's programs lent to it. It goes
 * on until it is closed.
 */
record LentContainer(String name) implements AutoCloseable {
    /** What it is a container of, once one has worked. */
    static final String IMAGE = "kiln-it-lent";

    /** Podman's own defaults need a right that root may lack. */
    static final List<String> LIMITS = List.of("--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1024:1024");

    private static final Map<String, Boolean> WORKING = new HashMap<>();
    private static final boolean WORKS = works("podman");

    /**
     * Starts one.
     *
     * @param more options of podman run
     * @param script what its shell runs
     */
    static LentContainer start(String name, List<String> more, String script) {
        List<String> command = command(name, more, script);
        said(List.of("podman", "rm", "--force", name));
        Answer answer = said(command);
        assertThat(answer.exit()).as(answer.text()).isZero();
        return new LentContainer(name);
    }

    /** The command that starts one, where there is none of this name. */
    static List<String> command(String name, List<String> more, String script) {
        assumeTrue(WORKS, "podman starts no container here");
        List<String> command = new ArrayList<>(List.of("podman", "run", "--detach", "--name", name));
        command.addAll(more.contains("--network") ? List.of() : List.of("--network", "host"));
        command.addAll(LIMITS);
        Stream.of("/usr", "/lib", "/lib64", "/bin", Kiln.fixtures())
                .filter(path -> Files.exists(Path.of(path)))
                .forEach(path -> command.addAll(List.of("--volume", path + ":" + path + ":ro")));
        command.addAll(more);
        command.addAll(List.of("--entrypoint", "/bin/sh", IMAGE, "-c", script));
        return command;
    }

    /** The command that leads into it. */
    String via() {
        return "podman exec -i " + name;
    }

    /** The commands of all processes in it, one in a line. */
    String processes() {
        return said(List.of(
                        "podman",
                        "exec",
                        name,
                        "sh",
                        "-c",
                        "for p in /proc/[0-9]*; do tr '\\0' ' ' < $p/cmdline; echo; done"))
                .text();
    }

    /** Runs a script in it, which must succeed. */
    void run(String script) {
        Answer answer = said(List.of("podman", "exec", name, "sh", "-c", script));
        assertThat(answer.exit()).as(answer.text()).isZero();
    }

    @Override
    public void close() {
        said(List.of("podman", "rm", "--force", "--time", "0", name));
    }

    private record Answer(int exit, String text) {}

    /** Makes the image, unless that was done, and starts a container of it once. */
    static synchronized boolean works(String runtime) {
        return WORKING.computeIfAbsent(runtime, LentContainer::starts);
    }

    private static boolean starts(String runtime) {
        String once = runtime + " run --rm --network host " + String.join(" ", LIMITS)
                + " -v /usr:/usr:ro -v /lib:/lib:ro -v /lib64:/lib64:ro -v /bin:/bin:ro --entrypoint /bin/true "
                + IMAGE;
        return makesImage(runtime, IMAGE) && said(List.of("sh", "-c", once)).exit() == 0;
    }

    /**
     * Has the runtime keep an image of empty folders, on which everything else is mounted. One of an earlier test that had the name is
     * removed: without it, that would stay for ever.
     */
    static boolean makesImage(String runtime, String image) {
        String script = """
                set -e
                root=$(mktemp -d)
                trap 'rm -r "$root"' EXIT
                cd "$root"
                mkdir proc sys dev tmp run etc var root usr lib lib64 bin
                # A JVM shows no counters where its user has no name.
                echo root:x:0:0:root:/root:/bin/sh > etc/passwd
                old=$(RUNTIME images --quiet IMAGE)
                tar -c . | RUNTIME import - IMAGE
                [ -z "$old" ] || [ "$old" = "$(RUNTIME images --quiet IMAGE)" ] || RUNTIME rmi $old || true
                """;
        return said(List.of("sh", "-c", script.replace("RUNTIME", runtime).replace("IMAGE", image)))
                        .exit()
                == 0;
    }

    private static Answer said(List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Answer(process.waitFor(), text);
        } catch (IOException e) {
            return new Answer(127, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer(130, "interrupted");
        }
    }
}
