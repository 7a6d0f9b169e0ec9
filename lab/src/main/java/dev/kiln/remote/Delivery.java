package dev.kiln.remote;

import dev.kiln.model.KilnException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * A Delivery brings what Kiln needs to a place that does not have it yet.
 *
 * @param now takes what is about to be sent, in words: it may take minutes
 */
record Delivery(FarShell shell, Consumer<String> now) {
    /** A question to a shell there has this long. */
    private static final Duration ANSWER = Duration.ofSeconds(60);

    /** A workload of some 100 MB takes so long over a slow line. */
    private static final Duration SHIP = Duration.ofMinutes(15);

    /**
     * Brings a Java runtime, if the place has none that runs Kiln.
     *
     * @param mayBeAbsent whether the place need not be there
     * @return whether it is there
     * @throws KilnException if there is no connection, nothing there runs Kiln, or no room
     */
    boolean java(boolean mayBeAbsent) {
        FarShell.ShellEnd end = shell.run(
                FarScripts.fits(), ANSWER, out -> out.write(FarScripts.INPUT.getBytes(StandardCharsets.UTF_8)));
        if (end.exit().isEmpty() && mayBeAbsent) {
            return false;
        }
        switch (code(end)) {
            case 0 -> {}
            case FarScripts.NO_JDK -> runtime(FarScripts.javas(end.said()));
            case FarScripts.NO_INPUT ->
                throw KilnException.usage(
                        shell.name() + ": what Kiln writes does not arrive there",
                        "the command must pass its input on: podman exec -i, docker exec -i, kubectl exec -i POD --");
            default -> throw shell.noConnection(end.said());
        }
        return true;
    }

    /** Returns the exit code of a script, as the shell there told it. */
    private int code(FarShell.ShellEnd end) {
        return end.exit().orElseThrow(() -> shell.noConnection(end.said()));
    }

    /** Brings this machine's, where it runs there: that processor, and the C library that it was made for. */
    private void runtime(String found) {
        if (!succeeds(FarScripts.takesRuntime(System.getProperty("os.arch")))) {
            throw shell.noJdk(found, "");
        }
        Shipment runtime = Shipment.ofRuntime();
        FarShell.ShellEnd end = sent(runtime, FarScripts.receiveRuntime(runtime));
        if (code(end) == FarScripts.NO_RUN) {
            throw shell.noJdk(
                    found,
                    "; the Java runtime that Kiln sent does not run there (" + FarShell.lastLine(end.said())
                            + "), and was deleted there again");
        }
        requireStored(runtime, end);
    }

    private boolean succeeds(String script) {
        return code(shell.run(script, ANSWER, OutputStream::flush)) == 0;
    }

    void send(Shipment shipment) {
        if (!succeeds(FarScripts.isThere(shipment))) {
            requireStored(shipment, sent(shipment, FarScripts.receive(shipment)));
        }
    }

    private FarShell.ShellEnd sent(Shipment shipment, String receive) {
        now.accept("sending " + shipment.what() + " to " + shell.name());
        return shell.run(receive, SHIP, shipment::writeTo);
    }

    private void requireStored(Shipment shipment, FarShell.ShellEnd end) {
        if (code(end) != 0) {
            throw KilnException.machine(
                    shell.name() + ": cannot store " + shipment.what() + " there: " + FarShell.lastLine(end.said()),
                    "make room in its ~/.cache/kiln and let it write there, or "
                            + shell.giving("XDG_CACHE_HOME", "/tmp") + "; it needs sh and tar");
        }
    }
}
