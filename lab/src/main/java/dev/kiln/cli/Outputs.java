package dev.kiln.cli;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.KilnException.IoReason;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where results go. */
final class Outputs {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

    @Option(names = "--results", description = "Folder for the evidence and the report (results).")
    private Path results = Path.of("results");

    @Option(names = "--json", description = "Also write result.json here; - is the standard output.")
    private @Nullable Path json;

    Outputs() {}

    Outputs(Path results) {
        this.results = results;
    }

    Path results() {
        return results;
    }

    /** A folder for what begins now: its name and the time. Not made yet. */
    Path folder(String name) {
        return results.resolve(
                name + "-" + LocalDateTime.now(ZoneId.systemDefault()).format(TIME));
    }

    static void make(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new KilnException(
                    Exit.MACHINE,
                    "cannot make " + folder + ": " + IoReason.of(e),
                    "name another folder: --results DIR",
                    e);
        }
    }

    Optional<Path> json() {
        return Optional.ofNullable(json);
    }

    /** Where tables go that follow the result: the standard output holds nothing beside JSON. */
    PrintWriter tables(Console console) {
        return json().filter(TextFiles::isStandardOutput).isPresent() ? console.err() : console.out();
    }
}
