package dev.kiln.cli;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A folder of results from somebody else: links, pipes and files without an end in it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileFolderTest {
    private static final String PRECIOUS = "root:x:0:0:precious";

    @TempDir
    private Path folder;

    private Path evidence;
    private Path precious;

    @BeforeEach
    void recorded() throws IOException {
        evidence = folder.resolve("evidence");
        new RecordedRuns(evidence).variant(List.of("platform"), "platform", 1, 20, 1000);
        precious = Files.writeString(folder.resolve("precious.txt"), PRECIOUS);
    }

    /** Everything that a report may write, where the folder has a link to a file outside it. */
    @ParameterizedTest
    @ValueSource(strings = {"report.html", "result.json", "summary.json", "summary.json.part", "run.json.part"})
    void aReportReplacesALinkAndLeavesWhatItLeadsTo(String name) throws Exception {
        Files.createSymbolicLink(evidence.resolve(name), precious);
        Kiln reported = Kiln.run("report", evidence.toString());
        assertThat(reported.exit()).isZero();
        assertThat(precious).hasContent(PRECIOUS);
        assertThat(evidence.resolve("report.html")).isRegularFile();
        assertThat(Files.isSymbolicLink(evidence.resolve("report.html"))).isFalse();
    }

    @Test
    void aFileThatTheUserNamesIsReplacedToo() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("out.json"), precious);
        Kiln reported = Kiln.run("report", evidence.toString(), "--json", link.toString());
        assertThat(reported.exit()).isZero();
        assertThat(precious).hasContent(PRECIOUS);
        assertThat(link).content().startsWith("{");
    }

    @Test
    void aDeviceThatTheUserNamesStaysOne() {
        Kiln reported = Kiln.run("report", evidence.toString(), "--json", "/dev/null");
        assertThat(reported.exit()).isZero();
        assertThat(Files.isRegularFile(Path.of("/dev/null"), LinkOption.NOFOLLOW_LINKS))
                .isFalse();
    }

    @Test
    void aReportThatCannotBeWrittenSaysWhyInWords() throws Exception {
        Files.createDirectory(evidence.resolve("report.html"));
        Kiln reported = Kiln.run("report", evidence.toString());
        assertThat(reported.exit()).isEqualTo(3);
        assertThat(reported.err())
                .contains("cannot write the report: it is a folder")
                .doesNotContain("java.");
    }

    /** Nothing is read through a link, and so nothing of it is told. */
    @ParameterizedTest
    @ValueSource(strings = {"summary.json", "claims.json", "labels.properties", "platform/1/run.json"})
    void aLinkIsNotRead(String name) throws Exception {
        Path link = evidence.resolve(name);
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, precious);
        Kiln reported = Kiln.run("report", evidence.toString());
        assertThat(reported.exit()).isNotEqualTo(Main.BUG);
        assertThat(reported.out() + reported.err()).doesNotContain("root").doesNotContain("precious:");
        assertThat(precious).hasContent(PRECIOUS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "summary.json",
                "claims.json",
                "density.json",
                "labels.properties",
                "report.html",
                "platform/1/run.json",
                "platform/1/load.csv",
                "platform/1/latency.hlog",
                "platform/1/threads.csv",
                "platform/1/calls.csv",
                "platform/1/recording.jfr"
            })
    void aPipeIsNotWaitedFor(String name) throws Exception {
        pipe(evidence.resolve(name));
        assertThat(Kiln.run("report", evidence.toString()).exit()).isNotEqualTo(Main.BUG);
        assertThat(Kiln.run("explain", evidence.toString()).exit()).isNotEqualTo(Main.BUG);
        assertThat(Kiln.run("history", folder.toString()).exit()).isNotEqualTo(Main.BUG);
    }

    @ParameterizedTest
    @ValueSource(strings = {"summary.json", "platform/1/run.json", "platform/1/load.csv", "platform/1/threads.csv"})
    void threeGigabytesOfNothingAreRefused(String name) throws Exception {
        huge(evidence.resolve(name));
        assertThat(Kiln.run("report", evidence.toString()).exit()).isNotEqualTo(Main.BUG);
    }

    static void pipe(Path file) throws Exception {
        Files.deleteIfExists(file);
        Process made = new ProcessBuilder("mkfifo", file.toString()).inheritIO().start();
        assertThat(made.waitFor(10, SECONDS)).isTrue();
        assertThat(made.exitValue()).isZero();
    }

    /** A sparse file: it takes no room on the disk. */
    static void huge(Path file) throws IOException {
        try (RandomAccessFile made = new RandomAccessFile(file.toFile(), "rw")) {
            made.setLength(3L << 30);
        }
    }
}
