package dev.kiln.remote;

import dev.kiln.host.process.CacheFolder;
import dev.kiln.host.process.Programs;
import dev.kiln.host.process.Programs.ProgramAnswer;
import dev.kiln.host.process.Trees;
import dev.kiln.model.KilnException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * An OwnRuntime is the Java that Kiln sends to a place that has none to run its recorder. A release of Kiln has one; a
 * JDK makes one.
 */
final class OwnRuntime {
    /** The modules of a release, as deploy/dist.sh has them. */
    static final String MODULES = "java.base,java.management,java.naming,java.net.http,java.security.jgss,java.sql,"
            + "jdk.httpserver,jdk.jfr,jdk.unsupported";

    private static final List<String> MADE_OF = List.of(
            "--add-modules",
            MODULES,
            "--strip-java-debug-attributes",
            "--no-header-files",
            "--no-man-pages",
            "--compress",
            "zip-6");

    private OwnRuntime() {}

    /**
     * Returns the folder of the runtime.
     *
     * @throws KilnException if it cannot be made
     */
    static Path home() {
        Path java = Path.of(System.getProperty("java.home"));
        Path jlink = java.resolve("bin/jlink");
        return Files.isExecutable(jlink) ? made(jlink, CacheFolder.path(), MADE_OF) : java;
    }

    /** Returns a runtime of this JDK. Its name has what it is made of, so that no other one is taken for it. */
    static Path made(Path jlink, Path cache, List<String> of) {
        String kind = Runtime.version() + "-" + System.getProperty("os.arch") + "-"
                + Integer.toHexString(String.join(" ", of).hashCode());
        Path made = cache.resolve("runtime-" + kind);
        if (!isComplete(made)) {
            make(jlink, made, of);
        }
        return made;
    }

    private static boolean isComplete(Path made) {
        return Files.exists(made.resolve("release"));
    }

    private static void make(Path jlink, Path made, List<String> of) {
        try {
            Path scratch = CacheFolder.scratch(made.resolveSibling(""));
            try {
                Path part = scratch.resolve("runtime");
                List<String> command = new ArrayList<>(List.of(jlink.toString()));
                command.addAll(of);
                command.addAll(List.of("--output", part.toString()));
                ProgramAnswer answer = Programs.run(command);
                if (answer.exit() != 0) {
                    throw KilnException.machine(
                            "cannot make a Java runtime to send: " + FarShell.lastLine(answer.output()),
                            "give the place a JDK 25, or run Kiln from a release, which has a runtime");
                }
                move(part, made);
            } finally {
                Trees.delete(scratch);
            }
        } catch (IOException e) {
            throw KilnException.machine(e, "cannot make a Java runtime to send in " + made, "make room there");
        }
    }

    /** Another Kiln may have been faster. */
    private static void move(Path part, Path made) throws IOException {
        try {
            Files.move(part, made);
        } catch (IOException e) {
            if (!isComplete(made)) {
                throw e;
            }
        }
    }
}
