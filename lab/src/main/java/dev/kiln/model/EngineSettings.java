package dev.kiln.model;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The options of an engine. */
public sealed interface EngineSettings {
    /**
     * A Hyperfoil controller, which has agents on other machines send the load.
     *
     * @param controller its REST interface, such as {@code http://lab1:8090}
     * @param target scheme, host and port of the service as agents see it, with {@code ${port}} and {@code ${host}}; empty for those of the calls
     * @param agents {@code [user@]host[:port]} for the controller's deployer; empty where the controller sends the load itself
     * @param threads of each agent
     * @param benchmark the user's own, in place of one made from the protocol
     */
    record Hyperfoil(
            URI controller, Optional<String> target, List<String> agents, int threads, Optional<Path> benchmark)
            implements EngineSettings {
        public Hyperfoil {
            agents = List.copyOf(agents);
        }
    }

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
