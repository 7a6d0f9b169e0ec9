package dev.kiln.remote;

import dev.kiln.host.process.Programs;
import dev.kiln.model.KilnException;
import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.Where.HostPlace;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A Pipe is a command of the user's that runs a program somewhere and passes its input and output on, such as
 * {@code podman exec -i NAME}.
 */
record Pipe(HostPlace place) implements FarShell {
    /** A container's engine publishes ports here, and a tunnel ends here. */
    private static final String HERE = "localhost";

    @Override
    public String name() {
        return place.name();
    }

    /** Returns the command without the script and its secrets. */
    private String typed() {
        return String.join(" ", Secrets.HIDDEN.command(place.via()));
    }

    @Override
    public List<String> command(String script) {
        Programs.requireProgram("agent (via)", place.via().getFirst(), Optional.empty(), Map.of());
        return Stream.concat(place.via().stream(), Stream.of("sh", "-c", script))
                .toList();
    }

    @Override
    public String address() {
        return HERE;
    }

    @Override
    public String giving(String variable, String value) {
        return "give it behind the command: via: " + typed() + " env " + variable + "=" + value;
    }

    /** Returns false: a command of which Kiln knows nothing may end with any code. */
    @Override
    public boolean isCut(int exit) {
        return false;
    }

    @Override
    public KilnException noConnection(String said) {
        return KilnException.machine(
                "no shell at " + name() + ": " + FarShell.lastLine(said),
                "this must work, without a terminal: " + typed() + " sh -c true");
    }
}
