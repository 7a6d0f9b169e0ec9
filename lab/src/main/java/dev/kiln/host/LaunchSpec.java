package dev.kiln.host;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What to launch, and how.
 *
 * @param what the part's name for messages: {@code target}, {@code load}, {@code database}
 * @param environment added to Kiln's own
 * @param cpus to pin to; empty means not pinned
 * @param output file that both output streams are appended to
 * @param user to run as; only root may ask
 * @param cgroups to start in, one directory for each hierarchy
 */
public record LaunchSpec(
        String what,
        List<String> command,
        Map<String, String> environment,
        Optional<Path> directory,
        List<Integer> cpus,
        Path output,
        Optional<User> user,
        List<Path> cgroups) {
    /** Numbers of an unprivileged user and its group. */
    public record User(int uid, int gid) {}

    public LaunchSpec {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        cpus = List.copyOf(cpus);
        cgroups = List.copyOf(cgroups);
    }

    /** For a process in Kiln's own cgroups. */
    public LaunchSpec(
            String what,
            List<String> command,
            Map<String, String> environment,
            Optional<Path> directory,
            List<Integer> cpus,
            Path output,
            Optional<User> user) {
        this(what, command, environment, directory, cpus, output, user, List.of());
    }
}
