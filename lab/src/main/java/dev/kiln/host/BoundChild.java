package dev.kiln.host;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Starts a child from a thread that lives as long as the child: a death signal that its command asks for (setpriv
 * --pdeathsig) comes when the thread ends that started the process, not when Kiln does.
 */
public final class BoundChild {
    private BoundChild() {}

    /**
     * @param what it is, for the message if it cannot be started: "the load driver"
     * @throws KilnException with {@link Exit#MACHINE} if the command cannot be run
     */
    public static Process start(String what, ProcessBuilder builder) {
        CompletableFuture<Process> started = new CompletableFuture<>();
        Thread.ofPlatform()
                .daemon()
                .name("kiln-parent-of-" + what.replace(' ', '-'))
                .start(() -> {
                    try {
                        Process process = builder.start();
                        started.complete(process);
                        process.waitFor();
                    } catch (IOException e) {
                        started.completeExceptionally(e);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
        try {
            return started.join();
        } catch (CompletionException e) {
            throw new KilnException(
                    Exit.MACHINE,
                    "cannot start " + what + ": " + e.getCause(),
                    "check that this command can be run: " + String.join(" ", builder.command()),
                    e);
        }
    }
}
