package dev.kiln.remote;

import dev.kiln.load.driver.DriverPlace;
import dev.kiln.model.experiment.Where;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A FarLoad is a place from which Kiln's own load driver sends, in place of this machine. The driver ends with the connection. */
public final class FarLoad implements DriverPlace {
    private final FarShell shell;
    private final String name;
    private final List<String> prefix;
    private final Shipment driver = Shipment.ofDriver();

    private FarLoad(FarShell shell, String name, List<String> prefix) {
        this.shell = shell;
        this.name = name;
        this.prefix = List.copyOf(prefix);
    }

    /**
     * Finds the place.
     *
     * @param prefix words before the command that leads there, for its session, CPUs and end
     */
    public static FarLoad at(Where place, List<String> prefix) {
        // A pod of a deployment has another name each time; a load from either is the same.
        String name = place instanceof Where.Running pod
                ? pod.words()
                : place.elsewhere().orElseThrow().name();
        return new FarLoad(RemoteKiln.shell(place), name, prefix);
    }

    /** Sends Kiln's driver, and a Java runtime where nothing there runs it. */
    public void ship() {
        Delivery delivery = new Delivery(shell, sent -> {});
        delivery.java(false);
        delivery.send(driver);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<String> command(List<String> words) {
        String script = FarScripts.start(driver, Optional.empty(), String.join(" ", words));
        return Stream.concat(prefix.stream(), shell.command(script).stream()).toList();
    }

    @Override
    public String lost() {
        return shell.lost();
    }
}
