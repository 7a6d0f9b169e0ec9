package dev.kiln.model;

/** What a thread of the target is for. */
public enum ThreadRole {
    C1,
    C2,
    GC,
    /** The JVM's own other threads. */
    VM,
    /** Runs requests: a thread of a server's pool, or a carrier of virtual threads. */
    WORKER,
    /** An event loop, acceptor or poller. */
    IO,
    OTHER
}
