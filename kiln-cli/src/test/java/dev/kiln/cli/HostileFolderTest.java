package dev.kiln.cli;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.kiln.model.OwnerOnly;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
    private static final List<String> NATIVE = List.of("--enable-native-access=ALL-UNNAMED");

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

    /** Made by a process of that user, in a folder of its own: what it may not read or write itself, root would. */
    @ParameterizedTest
    @ValueSource(strings = {"report.html", "result.json", "summary.json", "platform/1/run.json", "labels.properties"})
    void anUnprivilegedUserGetsRootToWriteAndTellNothing(String name) throws Exception {
        assumeThat("root".equals(System.getProperty("user.name")))
                .as("only root can start a process of another user")
                .isTrue();
        assumeThat(Files.isExecutable(Path.of("/usr/bin/setpriv")))
                .as("there is no setpriv")
                .isTrue();
        Path vault = Files.createDirectory(folder.resolve("vault"), OwnerOnly.FOLDER);
        Path secret = Files.writeString(vault.resolve("secret"), PRECIOUS);
        try (var all = Files.walk(folder)) {
            for (Path file : all.filter(file -> !file.startsWith(vault)).toList()) {
                Files.setAttribute(file, "unix:uid", NOBODY);
            }
        }
        assertThat(asNobody("cat " + secret)).as("it may not read that itself").isNotZero();
        assertThat(asNobody("echo x > " + secret)).isNotZero();
        Path link = evidence.resolve(name);
        assertThat(asNobody("ln -sf " + secret + " " + link)).isZero();
        assertThat(Files.getAttribute(link, "unix:uid", LinkOption.NOFOLLOW_LINKS))
                .isEqualTo(NOBODY);

        for (String command : List.of("report", "explain")) {
            Kiln ran = Kiln.run(command, evidence.toString());
            assertThat(ran.exit()).isNotEqualTo(Main.BUG);
            assertThat(ran.out() + ran.err()).doesNotContain("precious");
        }
        assertThat(secret).hasContent(PRECIOUS);
        assertThat(Files.getAttribute(secret, "unix:uid")).isEqualTo(0);
        assertThat(asNobody("cat " + secret)).isNotZero();
    }

    private static final int NOBODY = 65534;

    private static int asNobody(String script) throws Exception {
        return new ProcessBuilder(
                        "setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups", "sh", "-c", script)
                .start()
                .waitFor();
    }

    /** A link that the user names is his own: he means what it leads to. */
    @Test
    void aLinkThatTheUserNamesStaysOne() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("out.json"), precious);
        Kiln reported = Kiln.run("report", evidence.toString(), "--json", link.toString());
        assertThat(reported.exit()).isZero();
        assertThat(link).isSymbolicLink();
        assertThat(precious).content().startsWith("{");
    }

    /** It may be a socket, or a file that has something already. */
    @Test
    void theStandardOutputByItsNameIsWrittenToWhereItStands() throws Exception {
        Kiln reported =
                Kiln.started(List.of(), NATIVE, Map.of(), "report", evidence.toString(), "--json", "/dev/stdout");
        assertThat(reported.exit()).isZero();
        assertThat(reported.out())
                .as("the table stays, and the document comes after it")
                .containsSubsequence("platform", "report.html", "\"schemaVersion\"");
    }

    /** A JVM that may not call C stands for a system without these calls. */
    @Test
    void evidenceIsReadWhereNothingCanBeHeld() throws Exception {
        Kiln reported = Kiln.started(
                List.of(), List.of("--illegal-native-access=deny"), Map.of(), "report", evidence.toString());
        assertThat(reported.err()).isEmpty();
        assertThat(reported.exit()).isZero();
        assertThat(reported.out()).contains("platform");

        Files.delete(evidence.resolve("summary.json"));
        Files.createSymbolicLink(evidence.resolve("summary.json"), precious);
        pipe(evidence.resolve("platform/1/threads.csv"));
        Kiln hostile = Kiln.started(
                List.of(), List.of("--illegal-native-access=deny"), Map.of(), "report", evidence.toString());
        assertThat(hostile.exit()).isNotEqualTo(Main.BUG);
        assertThat(precious).hasContent(PRECIOUS);
    }

    /** What the locale has no letter for is a name all the same. */
    @Test
    void namesNeedNoLocale() throws Exception {
        String rename = "mv platform \"$(printf 'gr\\303\\266\\303\\237e')\"";
        assertThat(new ProcessBuilder("sh", "-c", rename)
                        .directory(evidence.toFile())
                        .start()
                        .waitFor())
                .isZero();
        Kiln reported = Kiln.started(List.of(), NATIVE, Map.of("LC_ALL", "C"), "report", evidence.toString());
        assertThat(reported.err()).isEmpty();
        assertThat(reported.exit()).isZero();
        assertThat(reported.out()).contains("platform");
    }

    /** An image and a scheduler's job have no locale: Java would print "?3.8" there for −3.8. */
    @Test
    void signsNeedNoLocale() throws Exception {
        Kiln analysed =
                Kiln.started(List.of(), NATIVE, Map.of("LC_ALL", "C"), "analyze", "../docs/examples/series.csv");
        assertThat(analysed.out()).contains("−3.8 to 6.1").doesNotContain("?");
    }

    /** The encoding of the output decides, and not that of files: Latin-1 has neither bars nor a minus sign. */
    @Test
    void whatAnEncodingLacksIsWrittenInAscii() throws Exception {
        Kiln analysed = Kiln.started(
                List.of(), List.of("-Dstdout.encoding=ISO-8859-1"), Map.of(), "analyze", "../docs/examples/series.csv");
        assertThat(analysed.out()).contains("-3.8 to 6.1", "3,369 |", "#####").doesNotContain("?");
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
        assertThat(reported.err()).contains("/evidence: it is a folder").doesNotContain("java.");
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
