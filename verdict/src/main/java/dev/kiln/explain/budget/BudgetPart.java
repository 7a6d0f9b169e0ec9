package dev.kiln.explain.budget;

/**
 * A BudgetPart is one of the things that the time of a request goes into. A request is in one of them at a time, so the
 * parts add up.
 */
public enum BudgetPart {
    /** A thread runs the request's code. */
    RUNNING("running", "running"),
    /** A thread runs in the kernel for the request. */
    KERNEL("kernel", "running in the kernel"),
    /** A thread is ready to run and has no CPU. */
    CPU_WAIT("cpu-wait", "waiting for a CPU"),
    /** A garbage collection stops all threads. */
    COLLECTION("collection", "stopped by collections"),
    /** The JVM stops all threads and does not count that as a collection, or asks them to stop and waits until they do. */
    SAFEPOINT("safepoint", "other stops of the JVM"),
    /** A CPU limit of the cgroup stops all threads. */
    CPU_LIMIT("cpu-limit", "stopped by the CPU limit"),
    /** A thread has taken the request up and is blocked: thread dumps say where. */
    BLOCKED("blocked", "blocked"),
    /** No other part has it: no thread has taken the request up yet, or what it waits for was not recorded. */
    REST("rest", "the rest");

    private final String id;
    private final String words;

    BudgetPart(String id, String words) {
        this.id = id;
        this.words = words;
    }

    /** Returns the name that files and scripts use. */
    public String id() {
        return id;
    }

    public String words() {
        return words;
    }
}
