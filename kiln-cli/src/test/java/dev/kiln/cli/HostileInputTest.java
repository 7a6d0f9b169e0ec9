package dev.kiln.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that a user names and somebody else wrote: too deep, too wide, too long, without an end. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileInputTest {
    private static final String HEAD = "target:\n  command: sleep ${port}\nload:\n  url: http://localhost:${port}/\n";

    @TempDir
    private Path folder;

    private Kiln refused(String command, String text) throws Exception {
        String file = Files.writeString(folder.resolve("x.yaml"), text).toString();
        Kiln kiln = command.equals("compare") ? Kiln.run(command, file, file) : Kiln.run(command, file);
        assertThat(kiln.exit()).as(kiln.err()).isEqualTo(2);
        assertThat(kiln.err()).hasSizeLessThan(5000).contains("x.yaml");
        return kiln;
    }

    @Test
    void variantsThatExtendOneAnotherFiveThousandTimes() throws Exception {
        String chain = IntStream.range(1, 5000)
                .mapToObj(i -> "  v" + i + ": {extends: v" + (i - 1) + "}\n")
                .collect(Collectors.joining());
        assertThat(refused("plan", HEAD + "variants:\n  v0: {}\n" + chain).err())
                .contains("x.yaml:6", "5000", "at most 200");
    }

    @Test
    void variantsThatExtendOneAnotherAsOftenAsAllowed() throws Exception {
        String chain = IntStream.range(1, 200)
                .mapToObj(i -> "  v" + i + ": {extends: v" + (i - 1) + "}\n")
                .collect(Collectors.joining());
        String file = Files.writeString(folder.resolve("x.yaml"), HEAD + "variants:\n  v0: {}\n" + chain)
                .toString();
        assertThat(Kiln.run("plan", file).exit()).isZero();
    }

    @Test
    void aZeroByteInAPath() throws Exception {
        for (List<String> words : List.of(
                List.of("analyze", "a\0b.csv"),
                List.of("compare", "a\0b.csv", "c.csv"),
                List.of("report", "a\0b"),
                List.of("run", "a\0b.yaml"),
                List.of("import", "a\0b.jtl"),
                List.of("startup", "a\0b.yaml"),
                List.of("analyze", "c.csv", "--json=a\0b"),
                List.of("serve", "a\0b"))) {
            Kiln kiln = Kiln.run(words.toArray(String[]::new));
            assertThat(kiln.exit()).as(words + ": " + kiln.err()).isEqualTo(2);
            assertThat(kiln.err()).as(words.toString()).contains("no path: a path holds no zero byte");
        }
    }

    /** The shell gives the two bytes: a test's own JVM may have such a locale, too. */
    @Test
    void aPathThatTheLocaleCannotExpress() throws Exception {
        Path plan = Files.writeString(folder.resolve("x.yaml"), HEAD + "  tls: {ca: gr\u00f6\u00dfe.pem}\n");
        List<String> told = List.of("is no path: the locale has no such letters (ANSI_X3.4-1968)", "LC_ALL=C.UTF-8");
        for (String words :
                List.of("analyze", "compare x.csv", "report", "explain", "plan", "import", "history", "aot check")) {
            Kiln kiln = Kiln.started(
                    List.of("sh", "-c", "exec \"$@\" " + words + " \"$(printf 'gr\\303\\266\\303\\237e')\"", "sh"),
                    List.of(),
                    Map.of("LC_ALL", "C"));
            assertThat(kiln.exit()).as(words + ": " + kiln.err()).isEqualTo(2);
            assertThat(kiln.err()).as(words).contains(told);
        }
        Kiln inAFile = Kiln.started(List.of(), List.of(), Map.of("LC_ALL", "C"), "plan", plan.toString());
        assertThat(inAFile.exit()).as(inAFile.err()).isEqualTo(2);
        assertThat(inAFile.err()).contains("x.yaml:5", "the locale has no such letters (ANSI_X3.4-1968)");
    }

    @Test
    void bracketsWithinBrackets() throws Exception {
        assertThat(refused("plan", "name: deep\nx: " + "[".repeat(2000)).err()).contains("x.yaml:2");
        refused("compare", "[".repeat(2000));
    }

    @Test
    void aZeroCharacterInACommand() throws Exception {
        assertThat(refused("plan", "target:\n  command: \"a\\0b\"\nload:\n  url: http://localhost:${port}/\n")
                        .err())
                .contains("x.yaml:2", "a zero character");
    }

    @Test
    void aFigureWhoseSquareIsNone() throws Exception {
        assertThat(refused("compare", "requests\n1e308\n1e308\n").err()).contains("x.yaml:2", "1e308");
        assertThat(refused("analyze", "requests\n1e308\n1e308\n").err()).contains("x.yaml:2", "1e308");
    }

    @Test
    void aKeyOfAMegabyte() throws Exception {
        assertThat(refused("compare", "[{\"" + "k".repeat(1_000_000) + "\": 1}]")
                        .err())
                .contains("x.yaml:1");
    }

    @Test
    void aTableOfTwentyThousandColumns() throws Exception {
        String heads = IntStream.range(0, 20_000).mapToObj(i -> "c" + i).collect(Collectors.joining(","));
        String row = "\n" + "1,".repeat(19_999) + "1";
        assertThat(refused("compare", heads + row.repeat(20)).err()).contains("20000 columns", "up to 1000");
    }

    @Test
    void aJsonTableOfTwentyThousandColumns() throws Exception {
        String row =
                IntStream.range(0, 20_000).mapToObj(i -> "\"c" + i + "\": 1").collect(Collectors.joining(","));
        assertThat(refused("compare", "[{" + row + "}, {" + row + "}]").err()).contains("20000 columns", "up to 1000");
        String column =
                IntStream.range(0, 20_000).mapToObj(i -> "\"c" + i + "\": [1]").collect(Collectors.joining(","));
        assertThat(refused("compare", "{" + column + "}").err()).contains("20000 columns", "up to 1000");
    }

    /** One of the two would be compared, and the other one not. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{'peak': 1, 'peak': 2}, {'peak': 1, 'peak': 2}]",
                "[{'peak': 1, 'Peak': 2}]",
                "{'peak': [1, 2], 'peak': [3, 4]}"
            })
    void aColumnOfAJsonTableThatIsThereTwice(String json) throws Exception {
        assertThat(refused("compare", json.replace('\'', '"')).err()).contains("x.yaml:1", "eak' is there twice");
    }

    /** One reader takes the first of the two, and another one the last. */
    @Test
    void aKeyThatIsThereTwice() throws Exception {
        Path evidence = folder.resolve("evidence");
        new RecordedRuns(evidence).variant(List.of("v"), "v", 1, 20, 1000);
        Path info = evidence.resolve("v/1/run.json");
        String text = Files.readString(info);
        Files.writeString(info, text.replace("\"outcome\" : ", "\"outcome\" : \"TARGET_FAILED\", \"outcome\" : "));
        Kiln kiln = Kiln.run("report", evidence.toString());
        assertThat(kiln.exit()).as(kiln.err()).isEqualTo(2);
        assertThat(kiln.err()).contains("run.json: it goes wrong at column");
    }

    @Test
    void anExperimentOfTenMegabytes() throws Exception {
        assertThat(refused("plan", HEAD + "name: " + "x".repeat(10 << 20)).err())
                .contains("more than 1 MB");
    }

    @ParameterizedTest
    @ValueSource(strings = {"analyze", "compare", "plan", "gate", "import", "run", "startup", "history"})
    void aDeviceWithoutAnEnd(String command) {
        Kiln kiln = command.equals("compare")
                ? Kiln.run(command, "/dev/zero", "/dev/zero")
                : command.equals("startup")
                        ? Kiln.run(command, "--table", "/dev/zero")
                        : command.equals("gate")
                                ? Kiln.run(command, "--baseline", "/dev/zero", "--tolerance", "/dev/zero", "/dev/zero")
                                : Kiln.run(command, "/dev/zero");
        assertThat(kiln.exit()).as(kiln.err()).isEqualTo(2);
        assertThat(kiln.err()).contains("/dev/zero");
    }

    /** CI reads 1 as a problem that was found. */
    @Test
    void anErrorIsABugAndNoProblemFound() {
        AtomicBoolean thrown = new AtomicBoolean();
        Writer broken = new StringWriter() {
            @Override
            public void write(String text, int from, int length) {
                if (!thrown.getAndSet(true)) {
                    throw new StackOverflowError();
                }
                super.write(text, from, length);
            }
        };
        StringWriter err = new StringWriter();
        int exit = Main.run(List.of("jdks"), new PrintWriter(broken), new PrintWriter(err));
        assertThat(thrown).isTrue();
        assertThat(exit).isEqualTo(Main.BUG);
        assertThat(err.toString()).contains("a bug in Kiln", "StackOverflowError");
    }
}
