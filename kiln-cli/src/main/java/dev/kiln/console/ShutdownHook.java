package dev.kiln.console;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** A ShutdownHook runs an action if Kiln is stopped, by a signal for instance, within the block that holds the hook. */
public final class ShutdownHook implements AutoCloseable {
    private final Thread thread;
    private boolean stopping;

    private ShutdownHook(String name, Runnable action) {
        this.thread = new Thread(() -> stop(action), name);
    }

    /** Once Kiln is being stopped nothing begins any more: the caller waits here for its end. */
    public static ShutdownHook of(String name, Runnable action) {
        ShutdownHook hook = new ShutdownHook(name, action);
        try {
            Runtime.getRuntime().addShutdownHook(hook.thread);
            return hook;
        } catch (IllegalStateException tooLate) {
            throw never();
        }
    }

    /**
     * Begins what the action undoes. If Kiln is stopped meanwhile, the action waits until all has begun; once it runs, nothing begins
     * any more.
     */
    public synchronized <T> T begin(Supplier<T> what) {
        if (stopping) {
            throw never();
        }
        return what.get();
    }

    private synchronized void stop(Runnable action) {
        stopping = true;
        action.run();
    }

    /** Waits for the end of Kiln: it returns nothing, for it does not return. */
    private static RuntimeException never() {
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
