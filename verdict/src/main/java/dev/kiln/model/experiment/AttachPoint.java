package dev.kiln.model.experiment;

import java.util.Optional;

/** An AttachPoint names a process that already runs, and that Kiln did not start. */
public sealed interface AttachPoint {
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

    /**
     * The process is the first one of a container on the machine on which it runs.
     *
     * @param name of the container, or the beginning of its id
     */
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
     * The process is the first one of a pod's container.
     *
     * @param deployment whether the name is that of a deployment, which has one pod
     * @param container of the pod; empty for its only or usual one
     */
    record KubePod(String namespace, boolean deployment, String name, Optional<String> container)
            implements AttachPoint {
        @Override
        public String text() {
            return "kube:" + namespace + "/" + (deployment ? "deployment/" : "") + name
                    + container.map(its -> "/" + its).orElse("");
        }

        @Override
        public String words() {
            return (deployment ? "deployment" : "pod") + " " + namespace + "/" + name
                    + container.map(its -> ", container " + its).orElse("");
        }
    }
}
