package dev.kiln.model.experiment;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * A Target says how to launch the service under test. Texts may have {@link Placeholders} in them.
 *
 * @param modifiers ready-made ones; the flags of those that are no more than flags are among the JVM's
 * @param where it runs; elsewhere than here, the command and the working directory are of that place, unless a workload
 *     brings them
 * @param hooks the user's own commands around it and its runs
 */
public record Target(
        Program program, Jvm jvm, ReadySign readiness, List<Modifier> modifiers, Where where, List<Hook> hooks) {
    public Target {
        modifiers = List.copyOf(modifiers);
        hooks = List.copyOf(hooks);
    }

    /** Makes a target that runs on this machine, without modifiers. */
    public Target(Program program, Jvm jvm, ReadySign readiness) {
        this(program, jvm, readiness, List.of(), new Where.Here(), List.of());
    }

    /**
     * A Program is what is launched.
     *
     * @param workload name of a folder in {@code workloads/}, which brings the command
     * @param virtualThreads launches the workload's form that serves each request on a virtual thread
     * @param command executable and arguments; empty when {@code workload} brings them
     * @param arguments appended to the command
     * @param environment added to Kiln's own
     * @param backend command of a service that the target calls, which runs beside it; empty for none
     */
    public record Program(
            Optional<String> workload,
            boolean virtualThreads,
            List<String> command,
            List<String> arguments,
            Map<String, String> environment,
            Optional<Path> workingDirectory,
            List<String> backend) {
        public Program {
            command = List.copyOf(command);
            arguments = List.copyOf(arguments);
            environment = Map.copyOf(environment);
            backend = List.copyOf(backend);
        }

        /** Makes a program from a command of the user's own, without a backend. */
        public Program(
                List<String> command,
                List<String> arguments,
                Map<String, String> environment,
                Optional<Path> workingDirectory) {
            this(Optional.empty(), false, command, arguments, environment, workingDirectory, List.of());
        }

        /** Returns the same program with another backend's command. */
        public Program with(List<String> other) {
            return new Program(workload, virtualThreads, command, arguments, environment, workingDirectory, other);
        }
    }

    /**
     * A Jvm says which JVM runs the program, and with what.
     *
     * @param jdk to launch with, or empty for what the command finds by itself; before the launch its home is found
     * @param ownFlags put in front of the command's own arguments when it is a {@code java} command
     * @param modifierFlags that its modifiers bring; they follow its own
     * @param aot the AOT cache to launch with; empty for none
     */
    public record Jvm(
            Optional<JdkChoice> jdk, List<String> ownFlags, List<String> modifierFlags, Optional<AotCache> aot) {
        /** This is the JVM that the command finds by itself, without flags. */
        public static final Jvm USUAL = new Jvm(Optional.empty(), List.of(), List.of(), Optional.empty());

        public Jvm {
            ownFlags = List.copyOf(ownFlags);
            modifierFlags = List.copyOf(modifierFlags);
        }

        /** Returns all flags in the order of the command. */
        public List<String> flags() {
            return Stream.concat(ownFlags.stream(), modifierFlags.stream()).toList();
        }

        private Jvm with(Optional<JdkChoice> other) {
            return new Jvm(other, ownFlags, modifierFlags, aot);
        }
    }

    /** Returns the home of the JDK to launch with, where one is named; it must have been found before. */
    public Optional<Path> jdkHome() {
        return jdk().map(choice -> {
            if (choice instanceof JdkChoice.Home home) {
                return home.home();
            }
            throw new IllegalStateException("nobody has looked for JDK " + choice.text());
        });
    }

    public Target with(JdkChoice other) {
        return with(Optional.of(other));
    }

    /** @param other empty for what the command finds by itself */
    public Target with(Optional<JdkChoice> other) {
        return new Target(program, jvm.with(other), readiness, modifiers, where, hooks);
    }

    /** Returns the same target in another place. */
    public Target with(Where other) {
        return new Target(program, jvm, readiness, modifiers, other, hooks);
    }

    public Target with(Program other) {
        return new Target(other, jvm, readiness, modifiers, where, hooks);
    }

    /** Returns the hook of a moment; empty where there is none. */
    public Optional<Hook> hook(Hook.HookMoment moment) {
        return Hook.of(hooks, moment);
    }

    /** Tells whether a command of the user's has it started anew for each run. */
    public boolean restarts() {
        return hook(Hook.HookMoment.RESTART).isPresent();
    }

    /** Returns the modifier of this kind that the target carries. */
    public <M extends Modifier> Optional<M> modifier(Class<M> kind) {
        return modifiers.stream().filter(kind::isInstance).map(kind::cast).findFirst();
    }

    /** Returns the CPU limit, in CPUs such as 1.5, that a modifier or the container leaves the target in the end. */
    public OptionalDouble cpuQuota() {
        Optional<Modifier.BoostedStart> boost = modifier(Modifier.BoostedStart.class);
        if (boost.isPresent()) {
            return OptionalDouble.of(boost.get().to());
        }
        Optional<Modifier.CpuQuota> quota = modifier(Modifier.CpuQuota.class);
        if (quota.isPresent()) {
            return OptionalDouble.of(quota.get().cpus());
        }
        return where() instanceof Where.ContainerPlace container ? container.cpus() : OptionalDouble.empty();
    }

    /** Returns the CPU limit at the launch, in CPUs; a boost has a higher one there. */
    public OptionalDouble cpuQuotaAtLaunch() {
        return modifier(Modifier.BoostedStart.class)
                .map(boost -> OptionalDouble.of(boost.from()))
                .orElseGet(this::cpuQuota);
    }

    public List<String> command() {
        return program.command();
    }

    public Optional<String> workload() {
        return program.workload();
    }

    public boolean virtualThreads() {
        return program.virtualThreads();
    }

    public Map<String, String> environment() {
        return program.environment();
    }

    public Optional<Path> workingDirectory() {
        return program.workingDirectory();
    }

    public List<String> arguments() {
        return program.arguments();
    }

    public Optional<JdkChoice> jdk() {
        return jvm.jdk();
    }

    public List<String> jvmFlags() {
        return jvm.flags();
    }

    public Optional<AotCache> aot() {
        return jvm.aot();
    }

    /** A ReadySign says when a target counts as started. Every form gives up after its timeout. */
    public sealed interface ReadySign {
        Duration timeout();

        /** The target has started with its first successful response to the load's first call. */
        record FirstResponse(Duration timeout) implements ReadySign {}

        /** {@code url}, which may have placeholders in it, answers with {@code status}. */
        record HttpStatus(String url, int status, Duration timeout) implements ReadySign {}

        /** {@code port} of this machine accepts a connection; empty is the port that Kiln gave the target. */
        record TcpPort(OptionalInt port, Duration timeout) implements ReadySign {}

        /** The regular expression is found in a line of the target's output. */
        record LogPattern(String regex, Duration timeout) implements ReadySign {}
    }

    /** An AotCache says where the AOT cache of a variant comes from. */
    public sealed interface AotCache {
        /** The cache is trained by a start until ready, with flags that may let the target end by itself. */
        record Startup(List<String> flags) implements AotCache {
            public Startup {
                flags = List.copyOf(flags);
            }
        }

        /** The cache is trained by the experiment's own load. */
        record Traffic(Duration duration) implements AotCache {}

        /** The cache is a file that somebody else made. */
        record GivenCache(Path file) implements AotCache {}

        /** The cache is that of another variant. Whether the JVM takes it is a question, and no fault. */
        record OfVariant(String variant) implements AotCache {}

        /** Returns the source of the cache in one word, as it stands in results. */
        default String text() {
            return switch (this) {
                case Startup startup -> "startup";
                case Traffic traffic -> "traffic";
                case GivenCache given -> "file";
                case OfVariant other -> "variant";
            };
        }
    }

    /** A JdkChoice says which JDK a target is to be launched with. */
    public sealed interface JdkChoice {
        /** Returns the choice as it stands in an experiment file. */
        String text();

        /** The JDK is the one in a directory that has {@code bin/java} in it. */
        record Home(Path home) implements JdkChoice {
            @Override
            public String text() {
                return home.toString();
            }
        }

        /**
         * The JDK is one that is found on this machine.
         *
         * @param version the beginning of its version, such as {@code 21} or {@code 21.0.8}; {@code 21+} is 21 or later
         * @param optional whether a variant is left out where there is none
         */
        record Version(String version, boolean optional) implements JdkChoice {
            @Override
            public String text() {
                return version;
            }

            /** Tells whether a whole version, as {@code 21.0.8}, begins with this, or is as late as {@code 21+}. */
            public boolean matches(String whole) {
                String modern = whole.startsWith("1.") ? whole.substring(2) : whole;
                if (version.endsWith("+")) {
                    String feature = modern.replaceFirst("\\D.*", "");
                    return !feature.isEmpty()
                            && feature.length() < 5
                            && Integer.parseInt(feature)
                                    >= Integer.parseInt(version.substring(0, version.length() - 1));
                }
                if (!modern.startsWith(version)) {
                    return false;
                }
                // 21 is no beginning of 210, and 21.0.1 none of 21.0.10.
                return modern.length() == version.length() || !Character.isDigit(modern.charAt(version.length()));
            }
        }
    }
}
