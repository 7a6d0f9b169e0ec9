package dev.kiln.console;

import dev.kiln.host.process.Programs;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** An OpenOption opens the page that a command wrote, with the program that opens files on this desktop. */
public final class OpenOption {
    /** Such a program hands the page over, or complains, in less time; one that is the browser itself stays. */
    private static final int SECONDS = 5;

    @Option(names = "--open", description = "Open the page in the browser.")
    private boolean asked;

    /** Opens the page if that was asked for; where it cannot be opened, one line says why, and where the page is. */
    public void open(Path page, Console console) {
        if (!asked) {
            return;
        }
        boolean mac = System.getProperty("os.name", "").startsWith("Mac");
        String name = mac ? "open" : "xdg-open";
        Optional<Path> program = Programs.find(name);
        Optional<String> refusal = !mac && !display()
                ? Optional.of("there is no display")
                : program.isEmpty() ? Optional.of("there is no " + name) : refused(program.get(), page);
        refusal.ifPresent(why ->
                console.note("kiln: cannot open the page: " + why + ". It is the file " + page.toAbsolutePath()));
    }

    private static boolean display() {
        return Stream.of("DISPLAY", "WAYLAND_DISPLAY")
                .anyMatch(
                        variable -> !System.getenv().getOrDefault(variable, "").isEmpty());
    }

    private static Optional<String> refused(Path program, Path page) {
        try {
            Process process = new ProcessBuilder(
                            program.toString(), page.toAbsolutePath().toString())
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            process.getOutputStream().close();
            boolean fine = !process.waitFor(SECONDS, TimeUnit.SECONDS) || process.exitValue() == 0;
            return fine
                    ? Optional.empty()
                    : Optional.of(program.getFileName() + " ended with exit code " + process.exitValue());
        } catch (IOException e) {
            return Optional.of(program.getFileName() + " cannot be started");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
