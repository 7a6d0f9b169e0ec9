package dev.kiln.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import javax.tools.ToolProvider;

/**
 * A SmallProgram is one whose text stands in a test. It is compiled once for all tests of a class and all JDKs: a JVM that is given
 * the text compiles it at each start, which takes longer than most tests.
 */
public final class SmallProgram {
    private SmallProgram() {}

    /** Compiles a class into a folder, which then is a class path, for the oldest JDK that tests use. */
    public static void compile(Path folder, String name, String text) throws IOException {
        Path source = Files.writeString(folder.resolve(name + ".java"), text);
        int exit = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "a JDK runs the tests")
                .run(null, null, null, "--release", "17", "-proc:none", "-d", folder.toString(), source.toString());
        assertThat(exit).as("javac of %s", source).isZero();
    }
}
