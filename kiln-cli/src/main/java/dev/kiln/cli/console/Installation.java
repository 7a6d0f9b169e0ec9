package dev.kiln.cli.console;

import java.nio.file.Files;
import java.nio.file.Path;

/** Which Kiln this is, and where. */
public final class Installation {
    private Installation() {}

    /** The version in the jar's manifest. */
    public static String version() {
        String version = Installation.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    /** Kiln's own folder: said by the launcher, or the first folder above the working directory that is one. */
    public static Path root() {
        String said = System.getProperty("kiln.root", "");
        if (!said.isEmpty()) {
            return Path.of(said);
        }
        Path here = Path.of("").toAbsolutePath();
        for (Path folder = here; folder != null; folder = folder.getParent()) {
            if (Files.isRegularFile(folder.resolve("kiln")) && Files.isDirectory(folder.resolve("workloads"))) {
                return folder;
            }
        }
        return here;
    }
}
