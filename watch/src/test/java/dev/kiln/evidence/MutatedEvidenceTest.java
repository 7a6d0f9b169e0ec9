package dev.kiln.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.Mutations;
import dev.kiln.model.KilnException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Evidence that rotted, was cut or was edited is told, and is never a crash. */
class MutatedEvidenceTest {
    @TempDir
    Path folder;

    @Test
    void anyRunJsonIsReadOrRefused() throws IOException {
        byte[] sample = Files.readAllBytes(Path.of("src/test/resources/golden/run.json"));
        Path file = Path.of("run.json");
        Mutations.of(sample, Mutations.MANY, bytes -> {
            try {
                assertThat(RunJson.read(bytes, file)).isNotNull();
            } catch (KilnException e) {
                assertThat(e.getMessage()).contains("run.json");
            }
        });
    }

    @Test
    void anyLoadIsReadAsFarAsItGoes() {
        String sample = """
                phase,start_ns,end_ns,started,completed,refused,reset,timeout,non2xx,bad_body,backlog,lag_ns
                warmup,0,100000000,40,38,0,0,0,0,0,0,1000
                warmup,100000000,200000000,41,41,0,0,1,0,0,0,1000
                """;
        Path file = folder.resolve("load.csv");
        Mutations.of(sample, Mutations.some(2_000), text -> {
            try {
                Files.writeString(file, text);
                assertThat(LoadFile.read(file).bins()).hasSizeLessThan(50);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
