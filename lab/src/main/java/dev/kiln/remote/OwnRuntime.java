package dev.kiln.remote;

import dev.kiln.host.process.CacheFolder;
import dev.kiln.host.process.Programs;
import dev.kiln.host.process.Programs.ProgramAnswer;
import dev.kiln.host.process.Trees;
import dev.kiln.model.KilnException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * An OwnRuntime is the Java that Kiln sends to a place that has none to run its recorder. A release of Kiln has one; a
 * JDK makes one.
 */
final class OwnRuntime {
    /** The modules of a release, as deploy/dist.sh has them. */
    static final String MODULES = "java.base,java.management,java.naming,java.net.http,java.security.jgss,java.sql,"
            + "jdk.httpserver,jdk.jfr,jdk.unsupported";

    private OwnRuntime() {}

    /**
     * Returns the folder of the runtime.
     *
     * @throws KilnException if it cannot be made
     */
    static Path home() {
        Path java = Path.of(System.getProperty("java.home"));
        Path jlink = java.resolve("bin/jlink");
        if (!Files.isExecutable(jlink)) {
            return java;
        }
        Path made = CacheFolder.path().resolve("runtime-" + Runtime.version() + "-" + System.getProperty("os.arch"));
        if (!Files.exists(made.resolve("release"))) {
            make(jlink, made);
        }
        return made;
    }

    private static void make(Path jlink, Path made) {
        Path part = made.resolveSibling("part-" + ProcessHandle.current().pid() + "-" + made.getFileName());
        try {
            Files.createDirectories(made.resolveSibling(""));
            ProgramAnswer answer = Programs.run(List.of(
                    jlink.toString(),
                    "--add-modules",
                    MODULES,
                    "--strip-java-debug-attributes",
                    "--no-header-files",
                    "--no-man-pages",
                    "--compress",
                    "zip-6",
                    "--output",
                    part.toString()));
            if (answer.exit() != 0) {
                throw KilnException.machine(
                        "cannot make a Java runtime to send: " + FarShell.lastLine(answer.output()),
                        "give the place a JDK 25, or run Kiln from a release, which has a runtime");
            }
            move(part, made);
        } catch (IOException e) {
            throw KilnException.machine(e, "cannot make a Java runtime to send in " + made, "make room there");
        }
    }

    /** Another Kiln may have been faster. */
    private static void move(Path part, Path made) throws IOException {
        try {
            Files.move(part, made);
        } catch (IOException e) {
            Trees.delete(part);
            if (!Files.exists(made.resolve("release"))) {
                throw e;
            }
        }
    }
}
