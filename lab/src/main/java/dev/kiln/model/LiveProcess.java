package dev.kiln.model;

import java.util.Optional;

/**
 * A living process that holds a JVM.
 *
 * @param startTicks since boot; with the pid it identifies the process even after the pid is used again
 * @param innerPid its pid in its own pid namespace
 * @param user name, or number where the machine has no name for it
 * @param container id, cut to 12 characters; empty outside containers
 * @param command main class or jar where that is known, else the program
 * @param ageSeconds since its launch
 */
public record LiveProcess(
        long pid,
        long startTicks,
        int innerPid,
        String user,
        Optional<String> container,
        String command,
        double ageSeconds,
        int threads) {}
