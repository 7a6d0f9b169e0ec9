package dev.kiln.cli;

/** Shutdown hooks, for what must be put back however Kiln ends. */
final class Hooks {
    private Hooks() {}

    static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The hook is running: Kiln is ending.
            return;
        }
    }
}
