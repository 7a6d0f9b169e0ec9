package dev.kiln.model;

import java.util.Optional;

/**
 * A LiveProcess is a living process that holds a JVM.
 *
 * @param startTicks since boot; with the pid it identifies the process even after the pid is used again
 * @param innerPid its pid in its own pid namespace
 * @param user name, or number where the machine has no name for it
 * @param container id, cut to 12 characters; empty outside containers
 * @param pod of Kubernetes, where it is in one
 * @param command main class or jar where that is known, else the program
 */
public record LiveProcess(
        long pid,
        long startTicks,
        int innerPid,
        String user,
        Optional<String> container,
        Optional<Pod> pod,
        String command,
        double ageSeconds,
        int threads) {
    /** Returns the same process at a later moment, with the age and the threads that it has then. */
    public LiveProcess now(double age, int threadsNow) {
        return new LiveProcess(pid, startTicks, innerPid, user, container, pod, command, age, threadsNow);
    }

    /**
     * A Pod is one of Kubernetes, as far as it can be known from outside.
     *
     * @param uid as in the API
     * @param name empty where Kiln may not read the environment of the process, and where the pod has the network of its host
     * @param namespace empty where the pod has no token of a service account
     */
    public record Pod(String uid, Optional<String> name, Optional<String> namespace) {}
}
