package dev.kiln.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where results go. */
final class Outputs {
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

    Optional<Path> json() {
        return Optional.ofNullable(json);
    }

    /** Where tables go that follow the result: the standard output holds nothing beside JSON. */
    PrintWriter tables(Console console) {
        return json().filter(TextFiles::isStandardOutput).isPresent() ? console.err() : console.out();
    }
}
