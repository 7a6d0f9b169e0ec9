package dev.kiln.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is printed and cannot be written: {@code /dev/full} is a disk without space, and a closed pipe is a reader who has enough. */
class FullDiskTest {
    @TempDir
    private Path folder;

    private record Ended(int exit, String err) {}

    /** In a JVM of its own, because a test's own standard output must stay whole. */
    private Ended shell(String command) throws Exception {
        String kiln = String.join(
                " ",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-Dkiln.root=" + Path.of("..").toRealPath(),
                "-cp '" + System.getProperty("java.class.path") + "'",
                Main.class.getName());
        Path err = folder.resolve("err");
        Process process = new ProcessBuilder("bash", "-c", command.replace("KILN", kiln))
                .redirectError(err.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new Ended(process.waitFor(), Files.readString(err, StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"version", "--version", "--help", "run --help", "jdks", "completion bash"})
    void whatCannotBePrintedIsNoSuccess(String command) throws Exception {
        Ended ended = shell("KILN " + command + " >/dev/full");
        assertThat(ended.err())
                .startsWith("kiln: cannot write to the standard output")
                .doesNotContain("Exception");
        assertThat(ended.exit()).isEqualTo(3);
    }

    @Test
    void whatWentWrongBeforeIsStillTold() throws Exception {
        assertThat(shell("KILN rn >/dev/full").exit()).isEqualTo(2);
    }

    @Test
    void aReaderWhoHasEnoughIsNoError() throws Exception {
        // The exit code is Kiln's; the pipe is closed before Kiln writes.
        Ended ended = shell("KILN completion bash | :; exit ${PIPESTATUS[0]}");
        assertThat(ended).isEqualTo(new Ended(0, ""));
    }

    static Stream<List<String>> filesOnAFullDisk() {
        String series = "../docs/examples/series.csv";
        String before = "../docs/examples/before.csv";
        String after = "../docs/examples/after.csv";
        return Stream.of(
                List.of("version", "--json", "/dev/full"),
                List.of("jdks", "--json", "/dev/full"),
                List.of("analyze", series, "--json", "/dev/full"),
                List.of("compare", before, after, "--json", "/dev/full"),
                List.of(
                        "gate",
                        "--baseline",
                        before,
                        "--tolerance",
                        "../docs/examples/tolerances.yaml",
                        after,
                        "--json",
                        "/dev/full"));
    }

    @ParameterizedTest
    @MethodSource("filesOnAFullDisk")
    void aFileThatCannotBeWrittenIsNoSuccess(List<String> words) {
        Kiln ran = Kiln.run(words.toArray(String[]::new));
        assertThat(ran.err()).contains("kiln: cannot write /dev/full");
        assertThat(ran.exit()).isEqualTo(3);
    }
}
