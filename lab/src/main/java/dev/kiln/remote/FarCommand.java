package dev.kiln.remote;

import dev.kiln.host.process.Launcher;
import dev.kiln.host.process.LimitedLines;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Where;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * A FarCommand is a command of this Kiln that runs where a service is, such as the doctor beside a JVM in a pod. It ends
 * with the connection.
 */
public final class FarCommand {
    /** A container that is taken away kills what runs in it. */
    private static final int KILLED = 137;

    /** Nothing that a command of Kiln says takes a longer line. */
    private static final int LONGEST_LINE = 1 << 20;

    private final FarShell shell;
    private final Shipment kiln;

    private FarCommand(FarShell shell, Shipment kiln) {
        this.shell = shell;
        this.kiln = kiln;
    }

    /**
     * Finds the place, and brings this Kiln there if it does not have it yet.
     *
     * @param now takes what is about to be sent there, in words
     * @throws KilnException where there is none, it is not clear which, or Kiln cannot run there
     */
    public static FarCommand at(Where where, Consumer<String> now) {
        FarShell shell = RemoteKiln.shell(where);
        Delivery delivery = new Delivery(shell, now);
        delivery.java(false);
        Shipment kiln = Shipment.ofWholeKiln();
        delivery.send(kiln);
        return new FarCommand(shell, kiln);
    }

    /** Returns the place in words. */
    public String name() {
        return shell.name();
    }

    /**
     * Runs a command there to its end.
     *
     * @param mainClass of Kiln
     * @param words of the command
     * @return its exit code
     */
    public int run(String mainClass, List<String> words, PrintWriter out, PrintWriter err) {
        List<String> command = shell.command(FarScripts.command(kiln, mainClass, words));
        Process process = Launcher.startBound("the connection to " + shell.name(), new ProcessBuilder(command));
        // It ends when its input does, also if this Kiln is killed.
        OutputStream input = process.getOutputStream();
        try (input) {
            CompletableFuture<OptionalInt> errors = CompletableFuture.supplyAsync(() -> lines(name(), process, err));
            copy(process, out);
            process.waitFor();
            OptionalInt exit = errors.join();
            if (exit.isEmpty() || exit.getAsInt() == KILLED) {
                throw KilnException.machine(shell.lost(), "what it had printed until then is all there is");
            }
            return exit.getAsInt();
        } catch (IOException e) {
            throw KilnException.machine(e, "cannot talk to " + shell.name(), "run it again");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw KilnException.machine("interrupted while talking to " + shell.name(), "run it again", e);
        }
    }

    private static void copy(Process process, PrintWriter out) throws IOException {
        char[] some = new char[8192];
        try (Reader in = process.inputReader(StandardCharsets.UTF_8)) {
            for (int length = in.read(some); length >= 0; length = in.read(some)) {
                out.write(some, 0, length);
                out.flush();
            }
        }
    }

    /** Copies what the command says, and returns the exit code that the shell there tells. A line without an end ends it. */
    static OptionalInt lines(String name, Process process, PrintWriter err) {
        AtomicReference<OptionalInt> exit = new AtomicReference<>(OptionalInt.empty());
        LimitedLines.each(process.errorReader(StandardCharsets.UTF_8), LONGEST_LINE, line -> {
                    OptionalInt told = FarShell.told(line);
                    if (told.isPresent()) {
                        exit.set(told);
                    } else if (!FarShell.isExitCode(line)) {
                        err.println(line);
                        err.flush();
                    }
                })
                .ifPresent(why -> {
                    err.println("kiln: ended the connection to " + name + ": " + why);
                    FarShell.FarLimit.end(process);
                });
        return Objects.requireNonNull(exit.get());
    }
}
