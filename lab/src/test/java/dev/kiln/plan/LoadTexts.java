package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Experiment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** LoadTexts is what tests share that write only the load of an experiment's file. */
abstract class LoadTexts {
    @TempDir
    Path dir;

    Experiment experiment(String load) throws IOException {
        Path file = dir.resolve("x.yaml");
        Files.writeString(file, "target: {command: 'java Main ${port}'}\nload:\n" + load.indent(2));
        return ExperimentFile.read(file);
    }

    /** Returns what is wrong, from the line number on. */
    String wrong(String load) {
        KilnException e = catchThrowableOfType(KilnException.class, () -> experiment(load));
        assertThat(e.exit()).isEqualTo(Exit.USAGE);
        return String.valueOf(e.getMessage()).replace(dir + "/x.yaml:", "");
    }
}
