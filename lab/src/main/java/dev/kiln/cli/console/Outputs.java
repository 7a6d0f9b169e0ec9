package dev.kiln.cli.console;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.KilnException.IoReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The folder that results go into. */
public final class Outputs {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

    @Option(names = "--results", description = "Folder for the evidence and the report (results).")
    private Path results = Path.of("results");

    public Outputs() {}

    public Outputs(Path results) {
        this.results = results;
    }

    public Path results() {
        return results;
    }

    /** A folder for what begins now: its name and the time. Not made yet. */
    public Path folder(String name) {
        return results.resolve(
                name + "-" + LocalDateTime.now(ZoneId.systemDefault()).format(TIME));
    }

    /** @param option the one that names another folder */
    public static void make(Path folder, String option) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new KilnException(
                    Exit.MACHINE,
                    "cannot create " + folder + ": " + IoReason.of(e),
                    "name another folder: " + option + " DIR",
                    e);
        }
    }
}
