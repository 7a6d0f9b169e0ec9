package dev.kiln.console;

import java.util.concurrent.locks.LockSupport;

/** A ShutdownHook runs an action if Kiln is stopped, by a signal for instance, within the block that holds the hook. */
public final class ShutdownHook implements AutoCloseable {
    private final Thread thread;

    private ShutdownHook(Thread thread) {
        this.thread = thread;
    }

    /** Once Kiln is being stopped nothing begins any more: the caller waits here for its end. */
    public static ShutdownHook of(String name, Runnable action) {
        Thread thread = new Thread(action, name);
        try {
            Runtime.getRuntime().addShutdownHook(thread);
            return new ShutdownHook(thread);
        } catch (IllegalStateException tooLate) {
            return never();
        }
    }

    private static ShutdownHook never() {
        while (true) {
            LockSupport.park();
        }
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException e) {
            // It is running: Kiln is ending.
            return;
        }
    }
}
