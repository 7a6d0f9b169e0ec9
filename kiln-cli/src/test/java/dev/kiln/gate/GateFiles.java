package dev.kiln.gate;

import dev.kiln.cli.Kiln;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** GateFiles are the files that a gate is tried with. */
abstract class GateFiles {
    static final String BEFORE = "../docs/examples/before.csv";
    static final String AFTER = "../docs/examples/after.csv";
    static final String TOLERANCES = "../docs/examples/tolerances.yaml";

    @TempDir
    Path dir;

    Kiln gate(String tolerances) throws IOException {
        return Kiln.run("gate", "--baseline", BEFORE, "--tolerance", file("t.yaml", tolerances), AFTER);
    }

    String file(String name, String text) throws IOException {
        return Files.writeString(dir.resolve(name), text).toString();
    }
}
