package dev.kiln.jvm;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.model.KilnException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A RunningCommand is what a running JVM was started with, so that the same one can be started again.
 *
 * @param environment all of it
 */
record RunningCommand(Jdk jdk, List<String> command, Path folder, Map<String, String> environment) {
    /** Options that are in a file, where Kiln does not see those that write. */
    private static final Pattern IN_A_FILE = Pattern.compile("@.+|-XX:(?:VMOptionsFile|Flags)=.*");

    RunningCommand {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    /**
     * @param instead what to do if that cannot be told
     * @throws KilnException if it cannot be read or is not to be repeated, or the process has other files than Kiln
     */
    static RunningCommand of(ProcFs fs, long pid, String instead) {
        String proc = "proc/" + pid + "/";
        Optional<Jdk> jdk = fs.link(proc + "exe")
                .filter(file -> !file.endsWith(" (deleted)"))
                .map(Path::of)
                .flatMap(JdkFinder::of);
        Optional<Path> folder = fs.link(proc + "cwd").map(Path::of);
        List<String> command = words(fs, proc + "cmdline");
        if (jdk.isEmpty()
                || folder.isEmpty()
                || !fs.link(proc + "ns/mnt").equals(fs.link("proc/self/ns/mnt"))
                || !owner(fs.path("proc/" + pid)).equals(owner(fs.path("proc/self")))) {
            throw KilnException.machine(
                    "process " + pid + " is another user's or in a container, or its JDK was replaced",
                    "run this command as its user, where it runs, or " + instead);
        }
        if (command.stream().anyMatch(word -> IN_A_FILE.matcher(word).matches())) {
            throw KilnException.usage(
                    "options of process " + pid + " are in a file, and may write what the process owns", instead);
        }
        Map<String, String> environment = new HashMap<>();
        words(fs, proc + "environ").forEach(word -> {
            int equals = word.indexOf('=');
            if (equals > 0) {
                environment.put(word.substring(0, equals), word.substring(equals + 1));
            }
        });
        return new RunningCommand(jdk.get(), command, folder.get(), environment);
    }

    private static Optional<Object> owner(Path process) {
        try {
            return Optional.of(Files.getAttribute(process, "unix:uid"));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static List<String> words(ProcFs fs, String file) {
        return fs.text(file).stream()
                .flatMap(text -> Arrays.stream(text.split("\0", 0)))
                .toList();
    }
}
