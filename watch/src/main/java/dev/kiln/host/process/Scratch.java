package dev.kiln.host.process;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * A Scratch is a temporary folder of this user alone, for what is thrown away at once. It goes when it is closed, and also when a signal
 * ends Kiln before, together with the processes that write into it. What a killed Kiln leaves is found by the next one only if it was
 * noted: {@link OrphanRegistry#temporaryDirectory}.
 */
public final class Scratch implements AutoCloseable {
    /** A thread that goes on while Kiln is being ended may add a file meanwhile. */
    private static final int TRIES = 3;

    private static final long LIMIT_SECONDS = 5;

    private final Path folder;
    private final Queue<Process> writers = new ConcurrentLinkedQueue<>();
    private final Thread atExit = new Thread(this::end, "kiln-scratch-end");

    private Scratch(Path folder) {
        this.folder = folder;
    }

    /** @param what its name begins with, after {@code kiln-} */
    public static Scratch make(String what) throws IOException {
        Scratch made = new Scratch(Files.createTempDirectory(OrphanBook.OURS + what + "-"));
        try {
            Runtime.getRuntime().addShutdownHook(made.atExit);
        } catch (IllegalStateException e) {
            // Kiln is ending, and waits for who finishes a run: it is closed as ever.
            return made;
        }
        return made;
    }

    public Path folder() {
        return folder;
    }

    /** Starts a process that ends with the folder at the latest. */
    public Process start(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        writers.add(process);
        return process;
    }

    private void end() {
        writers.forEach(Process::destroyForcibly);
        try {
            for (Process writer : writers) {
                writer.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (int i = 0; i < TRIES && !isDeleted(); i++) {}
    }

    private boolean isDeleted() {
        try {
            Trees.delete(folder);
            return true;
        } catch (IOException | DirectoryIteratorException e) {
            return false;
        }
    }

    @Override
    public void close() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // Kiln is ending, and the hook finds nothing.
            return;
        }
    }
}
