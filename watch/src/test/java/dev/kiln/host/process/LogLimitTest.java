package dev.kiln.host.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LogLimitTest {
    /** More than a block of a file system, which is the least that a hole can be. */
    private static final int KEPT = 100_000;

    private static final int MOST = 1_000_000;

    @TempDir
    private Path folder;

    private Path log;

    @BeforeEach
    void named() {
        log = folder.resolve("target.log");
    }

    private static void untold() {
        throw new AssertionError("the middle can be left out");
    }

    private Process writing(String script) throws Exception {
        Files.createFile(log);
        return new ProcessBuilder("sh", "-c", script)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    /** What it takes on the disk. */
    private long bytes() throws Exception {
        Process stat = new ProcessBuilder("stat", "-c", "%b", log.toString()).start();
        return Long.parseLong(stat.inputReader().readLine()) * 512;
    }

    private void add(String text) throws Exception {
        Files.writeString(log, text, StandardOpenOption.APPEND);
    }

    @Test
    void theBeginningAndTheEndOfALongLogStay() throws Exception {
        Files.writeString(log, "first line\n" + "x".repeat(2_000_000) + "\nlast line\n");
        LogLimit limit = new LogLimit(log, MOST, KEPT, LogLimitTest::untold);
        long size = Files.size(log);
        limit.look();
        assertThat(bytes()).isLessThan(3 * KEPT);
        assertThat(log).as("no byte moves").hasSize(size);
        assertThat(log).content().startsWith("first line\n").endsWith("last line\n");
        limit.finish();
        assertThat(log)
                .content()
                .hasSizeLessThan(2 * KEPT + 200)
                .startsWith("first line\n")
                .endsWith("last line\n")
                .contains("[kiln: 1800022 bytes are left out here");
    }

    @Test
    void aShortLogStaysAsItIs() throws Exception {
        Files.writeString(log, "x".repeat(MOST));
        LogLimit limit = new LogLimit(log, MOST, KEPT, LogLimitTest::untold);
        limit.look();
        limit.finish();
        assertThat(log).hasContent("x".repeat(MOST));
    }

    /** Files in memory without a limit have no holes. */
    @Test
    void itIsToldWhereTheMiddleStays() throws Exception {
        String mount = "mount -t ramfs none " + folder;
        assumeThat(namespace(mount)).isZero();
        assertThat(namespace(mount + " && " + java(log))).isEqualTo(3);
    }

    private static int namespace(String script) throws Exception {
        return new ProcessBuilder("unshare", "--mount", "sh", "-c", script)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    private static String java(Path file) {
        return "'" + System.getProperty("java.home") + "/bin/java' --enable-native-access=ALL-UNNAMED -cp '"
                + System.getProperty("java.class.path") + "' '" + Without.class.getName() + "' " + file;
    }

    /** Writes a long log, and ends with 3 where its limit is told to be none. */
    static final class Without {
        public static void main(String[] args) throws IOException {
            Path log = Path.of(args[0]);
            Files.writeString(log, "x".repeat(2_000_000));
            AtomicInteger told = new AtomicInteger();
            new LogLimit(log, MOST, KEPT, told::incrementAndGet).look();
            System.exit(told.get() == 1 && Files.size(log) == 2_000_000 ? 3 : 4);
        }
    }

    /** A process that prints as fast as it can: of the end, which stays, no line is missing. */
    @Test
    void nothingIsLostOfWhatIsPrintedMeanwhile() throws Exception {
        Process process = writing("seq 1 3000000");
        LogLimit limit = new LogLimit(log, MOST, KEPT, LogLimitTest::untold);
        while (process.isAlive()) {
            limit.look();
            isWithoutGaps(end(Files.readString(log)));
        }
        limit.look();
        assertThat(bytes()).isLessThan(MOST + KEPT);
        limit.finish();
        String text = Files.readString(log);
        assertThat(text).startsWith("1\n2\n3\n").endsWith("\n3000000\n").hasSizeLessThan(2 * KEPT + 200);
        isWithoutGaps(end(text));
    }

    /** What comes after the note and the hole. */
    private static String end(String text) {
        return text.substring(1 + Math.max(text.lastIndexOf(']'), text.lastIndexOf('\0')));
    }

    /** The first and the last line may be halves. */
    private static void isWithoutGaps(String numbers) {
        List<String> lines = numbers.lines().toList();
        for (int i = 2; i < lines.size() - 1; i++) {
            assertThat(Long.parseLong(lines.get(i))).isEqualTo(Long.parseLong(lines.get(i - 1)) + 1);
        }
    }

    /** It has read nothing yet of what comes after the middle. */
    @Test
    void aFollowerFindsALineThatStayed() throws Exception {
        Files.writeString(log, "noise\n".repeat(200_000) + "begin\nha");
        List<String> seen = new ArrayList<>();
        try (LogTail.Follower follower = new LogTail.Follower(log);
                LogTail.LineSearch search = new LogTail.LineSearch(log, Pattern.compile("^ready$"))) {
            assertThat(follower.lines()).endsWith("begin");
            assertThat(search.found()).isFalse();
            add("lf\n" + "noise\n".repeat(300_000) + "ready\n" + "noise\n".repeat(1000));
            new LogLimit(log, MOST, KEPT, LogLimitTest::untold).look();
            assertThat(search.found()).isTrue();
            seen.addAll(follower.lines());
            assertThat(seen).as("no line is made of two halves").containsOnly("noise", "ready");
            assertThat(seen).hasSizeLessThan(50_000);
            add("later\n");
            assertThat(follower.lines()).containsExactly("later");
        }
    }

    @Test
    void aLineWithoutAnEndFillsNoMemory() throws Exception {
        Files.writeString(log, "x".repeat(5_000_000) + "\nready\n");
        try (LogTail.Follower follower = new LogTail.Follower(log)) {
            List<String> lines = follower.lines();
            assertThat(lines.getFirst()).hasSizeLessThan(2_000_000);
            assertThat(lines.getLast()).isEqualTo("ready");
        }
    }
}
