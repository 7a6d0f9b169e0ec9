package dev.kiln.remote;

import dev.kiln.model.KilnException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A Delivery brings what Kiln needs to a place that does not have it yet. */
record Delivery(FarShell shell) {
    /** A question to a shell there has this long. */
    private static final Duration ANSWER = Duration.ofSeconds(60);

    /** As long as a workload of some 100 MB takes over a slow line. */
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
                Shipment.Scripts.fits(),
                ANSWER,
                out -> out.write(Shipment.Scripts.INPUT.getBytes(StandardCharsets.UTF_8)));
        return switch (end.exit()) {
            case 0 -> true;
            case Shipment.Scripts.NO_JDK -> {
                runtime(Shipment.Scripts.javas(end.said()));
                yield true;
            }
            case Shipment.Scripts.NO_INPUT ->
                throw KilnException.usage(
                        shell.name() + ": what Kiln writes does not arrive there",
                        "the command must pass its input on: podman exec -i, docker exec -i, kubectl exec -i POD --");
            default -> {
                if (!mayBeAbsent) {
                    throw shell.noConnection(end.said());
                }
                yield false;
            }
        };
    }

    /** Brings this machine's, where it runs there: that processor, and the C library that it was made for. */
    private void runtime(String found) {
        if (!succeeds(Shipment.Scripts.takesRuntime(System.getProperty("os.arch")))) {
            throw shell.noJdk(found);
        }
        Shipment runtime = Shipment.ofRuntime();
        send(runtime);
        if (!succeeds(Shipment.Scripts.runs(runtime))) {
            throw shell.noJdk(found);
        }
    }

    private boolean succeeds(String script) {
        return shell.run(script, ANSWER, OutputStream::flush).exit() == 0;
    }

    void send(Shipment shipment) {
        if (succeeds(Shipment.Scripts.isThere(shipment))) {
            return;
        }
        FarShell.ShellEnd received = shell.run(Shipment.Scripts.receive(shipment), SHIP, shipment::writeTo);
        if (received.exit() != 0) {
            throw KilnException.machine(
                    shell.name() + ": cannot store " + shipment.what() + " there: "
                            + FarShell.lastLine(received.said()),
                    "make room in its ~/.cache/kiln and let it write there, or "
                            + shell.giving("XDG_CACHE_HOME", "/tmp") + "; it needs sh and tar");
        }
    }
}
