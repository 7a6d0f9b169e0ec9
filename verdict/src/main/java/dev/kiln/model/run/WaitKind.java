package dev.kiln.model.run;

/** A WaitKind says what a thread of a thread dump did. */
public enum WaitKind {
    /** The thread ran, or could have run. The detail is the id of a {@link CodeFamily}, if it was in one. */
    RUNNABLE,
    /** The thread had no request: a worker without a task, an event loop without an event, a thread of the JVM. */
    IDLE,
    /** It waited to enter a monitor. The detail has the monitor's class, and its owner where that is known. */
    MONITOR,
    /** It waited to be notified: {@code Object.wait}, or {@code await} of a condition. */
    CONDITION,
    /** It was parked: a semaphore, lock or latch, whose class is the detail. */
    PARK,
    /** It waited for the result of a task: a future, whose class is the detail. */
    TASK,
    /** It waited to take from a blocking queue of the application, whose class is the detail. */
    QUEUE,
    /** It waited to put into a blocking queue of the application, whose class is the detail. */
    FULL_QUEUE,
    /**
     * It slept, or was parked for a time and for no object: then the detail is the method. Who wakes it is not
     * known; else the code that called has chosen the time.
     */
    SLEEP,
    /** It waited in a limiter of a rate. The detail says how. */
    RATE_LIMIT,
    /** It waited for a logger that writes a line, or for the place to write it to. The detail says how. */
    LOGGING,
    /** It connected a socket. */
    CONNECT,
    /** It waited for the network; the detail is the operation. */
    SOCKET,
    /**
     * It is a virtual thread that the JVM counts as waiting for the network, and of which nothing else is known. Those that
     * read are no more than the process has connections to others, if these are known; else some may have no request. The
     * detail is what the socket has to be ready for.
     */
    NETWORK,
    /** It read or wrote a file or a pipe; the detail is the operation. */
    FILE,
    NAME_LOOKUP,
    /** It waited for another thread to initialise a class, which the detail has with that thread. */
    CLASS_INIT,
    /** A carrier was blocked, because the virtual thread on it could not leave it. */
    PINNED,
    OTHER;

    /**
     * Returns what of a detail is a part of the place of such waits. The owner of a monitor is none: each dump may find another
     * one in the same line of code.
     */
    public String placed(String detail) {
        return this == MONITOR ? "" : detail;
    }
}
