package dev.kiln.serve;

import dev.kiln.console.Console;
import dev.kiln.model.KilnException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kiln serve}: a folder of results as pages. */
@Command(
        name = "serve",
        description =
                "Serves a folder of results as pages: all experiments, variants laid over each other, a service over"
                        + " time, and what is running now.",
        mixinStandardHelpOptions = true)
public final class ServeCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "DIR",
            arity = "0..1",
            defaultValue = "results",
            description = "The folder given to --results, or one that contains such (results).")
    private Path root = Path.of("results");

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS",
            description = "Where to listen: 127.0.0.1:8321, or 0.0.0.0:8321 for other machines too, which then need the"
                    + " token that is printed. Port 0 takes a free one (127.0.0.1:8321).")
    private String listen = LiveServer.DEFAULT;

    @Option(
            names = "--token",
            description = "The token that each request needs; drawn at random if Kiln listens for other machines.")
    private String token = "";

    @Mixin
    private final Console console = new Console();

    @Override
    public Integer call() throws InterruptedException {
        Library.refusal(root).ifPresent(why -> {
            throw KilnException.usage(why, "name the folder that kiln run wrote into");
        });
        try (LiveServer server = LiveServer.start(root, listen, token, console.err())) {
            console.out().println("Kiln serves " + root + " at " + server.url("/"));
            console.out().flush();
            // Until a signal ends the process.
            new CountDownLatch(1).await();
        }
        return 0;
    }
}
