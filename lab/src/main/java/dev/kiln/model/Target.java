package dev.kiln.model;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How to launch the service under test. Texts may have {@link Placeholders} in them.
 *
 * @param command executable and arguments; empty when {@code workload} brings them
 * @param workload name of a folder in {@code workloads/}
 * @param virtualThreads launches the workload's form that serves each request on a virtual thread
 * @param jdk to launch with, or empty for the one that runs Kiln; before the launch its home is found
 * @param environment added to Kiln's own
 * @param jvmFlags put in front of the command's own arguments when it is a {@code java} command
 * @param arguments appended to the command
 * @param modifiers ready-made ones; the flags of those that are no more than flags are among {@code jvmFlags}
 * @param aot the AOT cache to launch with; empty for none
 * @param where it runs; elsewhere than here, the command and the working directory are of that place
 */
public record Target(
        List<String> command,
        Optional<String> workload,
        boolean virtualThreads,
        Map<String, String> environment,
        Optional<Path> workingDirectory,
        Optional<JdkChoice> jdk,
        List<String> jvmFlags,
        List<String> arguments,
        Readiness readiness,
        List<Modifier> modifiers,
        Optional<AotCache> aot,
        Where where) {
    public Target {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        jvmFlags = List.copyOf(jvmFlags);
        arguments = List.copyOf(arguments);
        modifiers = List.copyOf(modifiers);
    }

    /** Here, without modifiers and AOT cache. */
    public Target(
            List<String> command,
            Optional<String> workload,
            boolean virtualThreads,
            Map<String, String> environment,
            Optional<Path> workingDirectory,
            Optional<JdkChoice> jdk,
            List<String> jvmFlags,
            List<String> arguments,
            Readiness readiness) {
        this(
                command,
                workload,
                virtualThreads,
                environment,
                workingDirectory,
                jdk,
                jvmFlags,
                arguments,
                readiness,
                List.of(),
                Optional.empty(),
                new Where.Here());
    }

    /** Home of the JDK to launch with, where one is named; it must have been found before. */
    public Optional<Path> jdkHome() {
        return jdk.map(choice -> {
            if (choice instanceof JdkChoice.Home home) {
                return home.home();
            }
            throw new IllegalStateException("nobody has looked for JDK " + choice.text());
        });
    }

    public Target with(JdkChoice other) {
        return new Target(
                command,
                workload,
                virtualThreads,
                environment,
                workingDirectory,
                Optional.of(other),
                jvmFlags,
                arguments,
                readiness,
                modifiers,
                aot,
                where);
    }

    /** The modifier of this kind that it carries. */
    public <M extends Modifier> Optional<M> modifier(Class<M> kind) {
        return modifiers.stream().filter(kind::isInstance).map(kind::cast).findFirst();
    }
}
