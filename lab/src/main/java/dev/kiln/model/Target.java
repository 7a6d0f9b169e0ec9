package dev.kiln.model;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

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

    /** When a target counts as started. Every form gives up after its timeout. */
    public sealed interface Readiness {
        Duration timeout();

        /** The first successful response to the load's first call. */
        record FirstResponse(Duration timeout) implements Readiness {}

        /** {@code url}, which may have placeholders in it, answers with {@code status}. */
        record HttpStatus(String url, int status, Duration timeout) implements Readiness {}

        /** A TCP connection to {@code port} of this machine is accepted; empty is the port that Kiln gave the target. */
        record TcpPort(OptionalInt port, Duration timeout) implements Readiness {}

        /** A line of the target's output in which the regular expression is found. */
        record LogPattern(String regex, Duration timeout) implements Readiness {}
    }

    /** Where the AOT cache of a variant comes from. */
    public sealed interface AotCache {
        /** Trained by starting the target until it is ready, and ending it. */
        record Startup() implements AotCache {}

        /** Trained by the experiment's own load. */
        record Traffic(Duration duration) implements AotCache {}

        /** Made by somebody else. */
        record Given(Path file) implements AotCache {}

        /** One word, as it stands in results. */
        default String text() {
            return switch (this) {
                case Startup startup -> "startup";
                case Traffic traffic -> "traffic";
                case Given given -> "file";
            };
        }
    }

    /** Which JDK a target is to be launched with. */
    public sealed interface JdkChoice {
        /** As it stands in an experiment file. */
        String text();

        /**
         * The one in a directory.
         *
         * @param home with {@code bin/java} in it
         */
        record Home(Path home) implements JdkChoice {
            @Override
            public String text() {
                return home.toString();
            }
        }

        /**
         * One that is found on this machine.
         *
         * @param version the beginning of its version, such as {@code 21} or {@code 21.0.8}
         * @param optional whether a variant is left out where there is none
         */
        record Version(String version, boolean optional) implements JdkChoice {
            @Override
            public String text() {
                return version;
            }

            /** Whether a whole version, such as {@code 21.0.8}, begins with this one. */
            public boolean matches(String whole) {
                String modern = whole.startsWith("1.") ? whole.substring(2) : whole;
                if (!modern.startsWith(version)) {
                    return false;
                }
                // 21 is no beginning of 210, and 21.0.1 none of 21.0.10.
                return modern.length() == version.length() || !Character.isDigit(modern.charAt(version.length()));
            }
        }
    }
}
