package dev.kiln.model.experiment;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where a target runs. */
public sealed interface Where {
    /** In words, for the plan. */
    String text();

    /** As a process of this machine, among its own files. */
    record Here() implements Where {
        @Override
        public String text() {
            return "here";
        }
    }

    /**
     * In a container on this machine, in the network of this machine.
     *
     * @param image that the runtime has
     * @param engine what makes it; empty for the first that is found
     * @param cpus CPU time per time that it may have
     * @param memoryBytes most memory that it may have
     */
    record Container(
            String image, Optional<Engine> engine, OptionalDouble cpus, OptionalLong memoryBytes, List<Mount> mounts)
            implements Where {
        public Container {
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
     * On another machine, which is reached over SSH.
     *
     * @param name as ssh takes it: {@code box} or {@code user@box}
     */
    record Host(String name) implements Where {
        @Override
        public String text() {
            return "on " + name;
        }
    }

    /** A file or folder of this machine, to be read in the container. */
    record Mount(Path from, String to) {}

    /** What makes containers. */
    enum Engine {
        PODMAN,
        DOCKER;

        /** The name of its program, and in experiment files. */
        public String id() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** By its name; {@link IllegalArgumentException} for any other. */
        public static Engine of(String id) {
            return valueOf(id.toUpperCase(Locale.ROOT));
        }

        public static Stream<String> ids() {
            return Stream.of(values()).map(Engine::id);
        }
    }
}
