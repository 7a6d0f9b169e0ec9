package dev.kiln.model.experiment;

import dev.kiln.model.Secrets;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A Where is the place in which a target runs: this machine, a container, another machine, or where it already is. */
public sealed interface Where {
    /** Returns the place in words, as a plan shows it. */
    String text();

    /** Returns where Kiln's agent watches the target; empty where Kiln itself does. */
    default Optional<HostPlace> elsewhere() {
        return switch (this) {
            case HostPlace host -> Optional.of(host);
            case Running running -> running.there();
            case Here here -> Optional.empty();
            case ContainerPlace container -> Optional.empty();
        };
    }

    /** The target runs as a process of this machine, among its own files. */
    record Here() implements Where {
        @Override
        public String text() {
            return "here";
        }
    }

    /**
     * The target runs in a container on this machine, in the network of this machine.
     *
     * @param image that the runtime has
     * @param engine what makes it; empty for the first that is found
     * @param cpus CPU time per time that it may have
     * @param memoryBytes most memory that it may have
     */
    record ContainerPlace(
            String image,
            Optional<ContainerEngine> engine,
            OptionalDouble cpus,
            OptionalLong memoryBytes,
            List<Mount> mounts)
            implements Where {
        public ContainerPlace {
            mounts = List.copyOf(mounts);
        }

        @Override
        public String text() {
            String by = engine.map(one -> one.id() + ", ").orElse("");
            String limits = (cpus.isPresent() ? ", cpus: " + plain(cpus.getAsDouble()) : "")
                    + (memoryBytes.isPresent() ? ", " + new Modifier.MemoryLimit(memoryBytes.getAsLong()).text() : "")
                    + mounts.stream()
                            .map(mount -> ", " + mount.from() + " as " + mount.to())
                            .collect(Collectors.joining());
            return "in a container: " + by + "image " + image + limits;
        }

        private static String plain(double number) {
            return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
        }
    }

    /**
     * The target runs on another machine or in somebody else's container, with an agent of Kiln's beside it.
     *
     * @param name as ssh takes it, {@code box} or {@code user@box}; of a command, in words
     * @param via the command that runs a program there and passes its input and output on; empty for ssh
     */
    record HostPlace(String name, List<String> via) implements Where {
        public HostPlace {
            via = List.copyOf(via);
        }

        /** Makes a place that a command leads to; its name has none of the command's secrets. */
        public static HostPlace through(List<String> command) {
            return new HostPlace("the far end of " + String.join(" ", Secrets.HIDDEN.command(command)), command);
        }

        /** Tells whether a command leads there, and not ssh. */
        public boolean isPiped() {
            return !via.isEmpty();
        }

        @Override
        public String text() {
            return "on " + name;
        }
    }

    /** The target already runs, here or there. Kiln watches it, and neither changes nor ends it. */
    record Running(AttachPoint point, Optional<HostPlace> there) implements Where {
        /** Makes a process of this machine, or of a pod, to which kubectl leads. */
        public Running(AttachPoint point) {
            this(
                    point,
                    point instanceof AttachPoint.KubePod
                            ? Optional.of(new HostPlace(point.words(), List.of("kubectl")))
                            : Optional.empty());
        }

        @Override
        public String text() {
            return "attached to " + words();
        }

        /** Returns the process in words, with the place where it runs. */
        public String words() {
            return point.words()
                    + there.filter(place -> !(point instanceof AttachPoint.KubePod))
                            .map(place -> " " + place.text())
                            .orElse("");
        }
    }

    /** A Mount is a file or folder of this machine that can be read in the container. */
    record Mount(Path from, String to) {}

    /** A ContainerEngine is a program that makes containers. */
    enum ContainerEngine {
        PODMAN,
        DOCKER;

        /** Returns the name of the engine's program, which experiment files use as well. */
        public String id() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Returns the engine of this name; any other name is an {@link IllegalArgumentException}. */
        public static ContainerEngine of(String id) {
            return valueOf(id.toUpperCase(Locale.ROOT));
        }

        public static Stream<String> ids() {
            return Stream.of(values()).map(ContainerEngine::id);
        }
    }

    /** An AttachPoint names a process that already runs, and that Kiln did not start. */
    sealed interface AttachPoint {
        /** Before the number of a port stands this word. */
        String PORT = "port:";

        /** Returns the name as it was typed. */
        String text();

        /** Returns the process in words, as a plan shows it. */
        String words();

        /** The process has this id where it runs. */
        record ProcessId(long pid) implements AttachPoint {
            @Override
            public String text() {
                return Long.toString(pid);
            }

            @Override
            public String words() {
                return "process " + pid;
            }
        }

        /** The process listens on this TCP port of the machine on which it runs. */
        record ListeningPort(int port) implements AttachPoint {
            @Override
            public String text() {
                return PORT + port;
            }

            @Override
            public String words() {
                return "what listens on port " + port;
            }
        }

        /** The process is the first of a container, by its name or the beginning of its id, where it runs. */
        record ContainerName(String name) implements AttachPoint {
            @Override
            public String text() {
                return name;
            }

            @Override
            public String words() {
                return "the container " + name;
            }
        }

        /**
         * The process is the first of a pod's container, the usual one if empty.
         *
         * @param replicas pods of the deployment that serve behind one address; 1 as a rule, and for a pod
         */
        record KubePod(String namespace, boolean deployment, String name, Optional<String> container, int replicas)
                implements AttachPoint {
            /** Returns so many pods of the same deployment. */
            public KubePod of(int pods) {
                return new KubePod(namespace, deployment, name, container, pods);
            }

            /** Returns one pod of the deployment. */
            public KubePod one(String pod) {
                return new KubePod(namespace, false, pod, container, 1);
            }

            @Override
            public String text() {
                return "kube:" + namespace + "/" + (deployment ? "deployment/" : "") + name
                        + container.map(its -> "/" + its).orElse("");
            }

            @Override
            public String words() {
                return (deployment ? "deployment" : "pod") + " " + namespace + "/" + name
                        + container.map(its -> ", container " + its).orElse("")
                        + (replicas > 1 ? ", " + replicas + " replicas" : "");
            }
        }
    }
}
