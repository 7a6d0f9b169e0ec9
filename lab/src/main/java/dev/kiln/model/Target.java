package dev.kiln.model;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How to launch the service under test. Texts may have {@link Placeholders} in them.
 *
 * @param command executable and arguments; empty when {@code workload} brings them
 * @param workload name of a folder in {@code workloads/}
 * @param virtualThreads launches the workload's form that serves each request on a virtual thread
 * @param jdk home of the JDK to launch with, or empty for the one that runs Kiln
 * @param environment added to Kiln's own
 * @param jvmFlags put in front of the command's own arguments when it is a {@code java} command
 * @param arguments appended to the command
 */
public record Target(
        List<String> command,
        Optional<String> workload,
        boolean virtualThreads,
        Map<String, String> environment,
        Optional<Path> workingDirectory,
        Optional<Path> jdk,
        List<String> jvmFlags,
        List<String> arguments,
        Readiness readiness) {
    public Target {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        jvmFlags = List.copyOf(jvmFlags);
        arguments = List.copyOf(arguments);
    }

    public Target withFlags(List<String> more) {
        return new Target(
                command,
                workload,
                virtualThreads,
                environment,
                workingDirectory,
                jdk,
                Stream.concat(jvmFlags.stream(), more.stream()).toList(),
                arguments,
                readiness);
    }
}
