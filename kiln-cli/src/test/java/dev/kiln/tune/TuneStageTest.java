package dev.kiln.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.cli.RecordedRuns;
import dev.kiln.model.KilnException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TuneStageTest {
    @TempDir
    Path folder = Path.of("");

    /** Somebody else may have written the name in a run.json. */
    @Test
    void noRunOutsideOfTheStageIsRead() throws Exception {
        new RecordedRuns(folder.resolve("outside")).variant(List.of("v"), "v", 1, 1, 1000);
        TuneStage stage = new TuneStage(folder.resolve("1-baseline"));
        new RecordedRuns(stage.folder()).variant(List.of("v"), "v", 1, 1, 1000);
        assertThat(stage.last("v")).isPresent();

        Path facts = stage.folder().resolve("v/1/run.json");
        Files.writeString(facts, Files.readString(facts).replaceFirst("(\"variant\" ?: ?)\"v\"", "$1\"../outside/v\""));
        assertThatThrownBy(() -> stage.last("../outside/v"))
                .isInstanceOf(KilnException.class)
                .hasMessage("no run ../outside/v/1 in " + stage.folder());
    }
}
