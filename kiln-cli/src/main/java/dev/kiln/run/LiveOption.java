package dev.kiln.run;

import dev.kiln.serve.LiveServer;
import java.util.Optional;
import picocli.CommandLine.Option;

/** LiveOption asks for a page that shows the measurement while it runs. */
final class LiveOption {
    @Option(
            names = "--live",
            paramLabel = "ADDRESS",
            arity = "0..1",
            fallbackValue = LiveServer.DEFAULT,
            description =
                    "Serve a page that shows what is measured, second by second, at 127.0.0.1:8321 or at ADDRESS.")
    private Optional<String> address = Optional.empty();

    /** Returns the address at which to serve the page; empty if nobody asked for it. */
    Optional<String> address() {
        return address;
    }
}
