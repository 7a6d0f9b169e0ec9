package dev.kiln;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadmeTest {
    @TempDir
    private Path folder;

    private static String block(String language) throws IOException {
        Matcher block = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("README.md")));
        assertThat(block.find()).as(language).isTrue();
        return block.group(1);
    }

    /** As somebody would who copies it: compiled and run by itself, with this module and what that needs. */
    @Test
    void theExamplePrintsWhatThePageSays() throws Exception {
        Path source = Files.writeString(folder.resolve("Example.java"), block("java"));
        Process example = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        source.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(example.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said).isEqualTo(block("text"));
        assertThat(example.waitFor()).isZero();
    }
}
