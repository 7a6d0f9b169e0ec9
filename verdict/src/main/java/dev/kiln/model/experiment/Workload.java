package dev.kiln.model.experiment;

import dev.kiln.model.experiment.Target.JdkChoice;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A Workload is a service that comes with Kiln as source: how it is built and launched.
 *
 * @param directory its folder; what is built and launched there
 * @param launch of the service itself
 * @param backend starts a service that this one calls, in a process of its own; empty for none
 * @param database script that fills the database it needs
 */
public record Workload(
        String name,
        Path directory,
        WorkloadBuild build,
        WorkloadLaunch launch,
        List<String> backend,
        Optional<Path> database) {
    public Workload {
        backend = List.copyOf(backend);
    }

    /**
     * A WorkloadBuild is how a workload is built.
     *
     * @param arguments for Maven
     * @param sources files and folders a change of which calls for a new build
     * @param product the file that a build makes; newer than all sources when nothing is to be built
     * @param needs programs that the build runs and a machine may lack
     */
    public record WorkloadBuild(List<String> arguments, List<Path> sources, List<String> needs, Path product) {
        public WorkloadBuild {
            arguments = List.copyOf(arguments);
            sources = List.copyOf(sources);
            needs = List.copyOf(needs);
        }
    }

    /**
     * A WorkloadLaunch is how a workload is started.
     *
     * @param virtualThreadsCommand starts the same service with a virtual thread for each request
     * @param jdk that runs it, unless the variant names one; empty for what the command finds by itself
     * @param environment with placeholders
     */
    public record WorkloadLaunch(
            List<String> command,
            List<String> virtualThreadsCommand,
            Optional<JdkChoice> jdk,
            Map<String, String> environment) {
        public WorkloadLaunch {
            command = List.copyOf(command);
            virtualThreadsCommand = List.copyOf(virtualThreadsCommand);
            environment = Map.copyOf(environment);
        }
    }
}
