package dev.kiln.console;

import java.nio.file.Files;
import java.nio.file.Path;

/** An Installation is the Kiln that runs: its version, its folder and how it was called. */
public final class Installation {
    private Installation() {}

    /** Returns the version in the jar's manifest, or {@code development} where there is none. */
    public static String version() {
        String version = Installation.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    /** Returns the class by which another JVM runs this Kiln. */
    public static String mainClass() {
        return "dev.kiln.cli.Main";
    }

    /** Tells whether another Kiln runs this one beside a service: then the names here are not those that the user sees. */
    static boolean isFar() {
        return Boolean.getBoolean("kiln.far");
    }

    /** Returns what the user typed to call Kiln, as the launcher says: {@code kiln}, or {@code ./kiln} in a clone. */
    static String command() {
        return System.getProperty("kiln.command", "kiln");
    }

    /** Returns Kiln's own folder: that of the launcher, or the first one from the working directory up. */
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
