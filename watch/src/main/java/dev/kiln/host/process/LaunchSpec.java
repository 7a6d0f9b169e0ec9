package dev.kiln.host.process;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What to launch, and how.
 *
 * @param what the part's name for messages: {@code target}, {@code load}, {@code database}
 * @param output file that both output streams are appended to
 * @param environment added to Kiln's own
 * @param cpus to pin to; empty means not pinned
 * @param user to run as; only root may ask
 * @param cgroups to start in, one directory for each hierarchy; empty means those of Kiln
 */
public record LaunchSpec(
        String what,
        List<String> command,
        Path output,
        Map<String, String> environment,
        Optional<Path> directory,
        List<Integer> cpus,
        Optional<LaunchUser> user,
        List<Path> cgroups) {
    /** Numbers of an unprivileged user and its group. */
    public record LaunchUser(int uid, int gid) {}

    public LaunchSpec {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        cpus = List.copyOf(cpus);
        cgroups = List.copyOf(cgroups);
    }

    /** Describes a launch in Kiln's own environment, folder and cgroups, as Kiln's user, and not pinned. */
    public LaunchSpec(String what, List<String> command, Path output) {
        this(what, command, output, Map.of(), Optional.empty(), List.of(), Optional.empty(), List.of());
    }

    public LaunchSpec withEnvironment(Map<String, String> added) {
        return new LaunchSpec(what, command, output, added, directory, cpus, user, cgroups);
    }

    public LaunchSpec in(Optional<Path> workingDirectory) {
        return new LaunchSpec(what, command, output, environment, workingDirectory, cpus, user, cgroups);
    }

    public LaunchSpec on(List<Integer> some) {
        return new LaunchSpec(what, command, output, environment, directory, some, user, cgroups);
    }

    public LaunchSpec as(Optional<LaunchUser> other) {
        return new LaunchSpec(what, command, output, environment, directory, cpus, other, cgroups);
    }

    public LaunchSpec withCgroups(List<Path> directories) {
        return new LaunchSpec(what, command, output, environment, directory, cpus, user, directories);
    }
}
