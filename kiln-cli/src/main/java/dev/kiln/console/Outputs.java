package dev.kiln.console;

import dev.kiln.model.KilnException;
import dev.kiln.model.OwnerOnly;
import dev.kiln.model.Secrets;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import picocli.CommandLine.Option;

/** Outputs are the options that say which folder results go into, and whether secrets are kept in it. */
public final class Outputs {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

    /** The folder for results where none is named. */
    public static final Path DEFAULT = Path.of("results");

    @Option(names = "--results", description = "Folder for the evidence and the report (results).")
    private Path results = DEFAULT;

    private Secrets secrets = Secrets.HIDDEN;

    public Outputs() {}

    public Outputs(Path results) {
        this.results = results;
    }

    public Path results() {
        return results;
    }

    /** The text describes the option for commands that launch a service. */
    public static final String KEEP_SECRETS =
            "Keep passwords and tokens of commands, environment and requests in the evidence, in place of ***.";

    public void keepSecrets(boolean keep) {
        secrets = keep ? Secrets.KEPT : Secrets.HIDDEN;
    }

    /** Returns how passwords and tokens are recorded: hidden, or kept if the user asked for that. */
    public Secrets secrets() {
        return secrets;
    }

    /** Returns the path of a folder for a measurement that begins now. The folder is not made yet. */
    public Path folder(String name) {
        return results.resolve(
                name + "-" + LocalDateTime.now(ZoneId.systemDefault()).format(TIME));
    }

    /** The limit of folders with one name and one second, after which Kiln gives up. */
    private static final int MOST = 1000;

    /** Makes a folder of that name for this Kiln alone, with a number where its second is taken. */
    public Path fresh(String name) {
        make(results, "--results");
        Path folder = folder(name);
        for (int i = 2; ; i++) {
            try {
                return Files.createDirectory(folder, OwnerOnly.FOLDER);
            } catch (FileAlreadyExistsException e) {
                if (i > MOST) {
                    throw KilnException.machine(e, "cannot create " + folder, "name another folder: --results DIR");
                }
                folder = folder.resolveSibling(folder(name).getFileName() + "-" + i);
            } catch (IOException e) {
                throw KilnException.machine(e, "cannot create " + folder, "name another folder: --results DIR");
            }
        }
    }

    /** @param option the one that names another folder */
    public static void make(Path folder, String option) {
        try {
            Files.createDirectories(folder, OwnerOnly.FOLDER);
        } catch (IOException e) {
            throw KilnException.machine(e, "cannot create " + folder, "name another folder: " + option + " DIR");
        }
    }
}
