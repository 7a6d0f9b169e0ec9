package dev.kiln.model;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What an engine wants to know beyond the load itself. */
public sealed interface EngineSettings {
    /**
     * A user's simulation, which Gatling runs in a JVM of its own.
     *
     * @param simulation name of its class
     * @param classPath folders and jars, those of Gatling among them
     * @param jdk which runs it; empty for the one that runs Kiln
     * @param jvmFlags added to Kiln's own
     */
    record Gatling(String simulation, List<Path> classPath, Optional<JdkChoice> jdk, List<String> jvmFlags)
            implements EngineSettings {
        public Gatling {
            classPath = List.copyOf(classPath);
            jvmFlags = List.copyOf(jvmFlags);
        }

        public Gatling with(JdkChoice other) {
            return new Gatling(simulation, classPath, Optional.of(other), jvmFlags);
        }
    }
}
