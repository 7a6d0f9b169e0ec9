package dev.kiln.console;

/** A ShutdownHook runs an action if Kiln is stopped, by a signal for instance, within the block that holds the hook. */
public final class ShutdownHook implements AutoCloseable {
    private final Thread thread;

    private ShutdownHook(Thread thread) {
        this.thread = thread;
    }

    public static ShutdownHook of(String name, Runnable action) {
        Thread thread = new Thread(action, name);
        Runtime.getRuntime().addShutdownHook(thread);
        return new ShutdownHook(thread);
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
