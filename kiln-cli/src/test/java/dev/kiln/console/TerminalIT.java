package dev.kiln.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.cli.Kiln;
import dev.kiln.host.process.Programs;
import dev.kiln.load.LoadSession.Tick;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.recorder.Recording.CompilerLoad;
import dev.kiln.text.TerminalWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What is printed to a terminal, which script(1) and tmux make, and what to a file. */
class TerminalIT {
    private static final String SERIES = "../docs/examples/series.csv";
    private static final List<String> NATIVE = List.of("--enable-native-access=ALL-UNNAMED");
    private static final String ESCAPE = "\u001b";

    /** The shell quotes the words behind it, because script takes a command as one word. */
    private static final String SCRIPT =
            "[ -n \"$COLUMNS\" ] || unset COLUMNS; for word; do all=\"$all '$word'\"; done; exec script -qec \"stty cols $WIDE; exec $all\" /dev/null";

    @TempDir
    private Path folder;

    private static void require(String program) {
        assumeTrue(Programs.find(program).isPresent(), program + " is not installed, and makes the terminal");
    }

    /** The environment of a test may have any of them. */
    private static Map<String, String> environment(String... more) {
        Map<String, String> all = new HashMap<>(Map.of("TERM", "xterm", "COLUMNS", "", "NO_COLOR", ""));
        for (int i = 0; i < more.length; i += 2) {
            all.put(more[i], more[i + 1]);
        }
        return all;
    }

    private static String printed(int columns, List<String> options, Map<String, String> environment, String... words)
            throws Exception {
        require("script");
        Map<String, String> all = new HashMap<>(environment);
        all.put("WIDE", Integer.toString(columns));
        Kiln ran = Kiln.started(List.of("sh", "-c", SCRIPT, "sh"), options, all, words);
        assertThat(ran.exit()).as(ran.toString()).isZero();
        return ran.out().replace("\r", "");
    }

    /** How wide the widest line is, without what paints it. A command to copy is never broken. */
    private static int width(String text) {
        return text.replaceAll(ESCAPE + "\\[[0-9;]*m", "")
                .lines()
                .filter(line -> !line.startsWith("  kiln "))
                .mapToInt(String::length)
                .max()
                .orElse(0);
    }

    @ParameterizedTest
    @CsvSource({"40, 30", "60, 50", "80, 70", "200, 90"})
    void textIsAsWideAsTheTerminalAndNoWiderThanIsReadable(int columns, int least) throws Exception {
        String text = printed(columns, NATIVE, environment(), "analyze", SERIES);
        assertThat(text).contains("T90, s", ESCAPE + "[1m");
        assertThat(width(text)).isBetween(least, Math.min(100, columns));
    }

    @Test
    void theVariableColumnsIsObeyed() throws Exception {
        assertThat(width(printed(90, NATIVE, environment("COLUMNS", "60"), "analyze", SERIES)))
                .isBetween(50, 60);
        Kiln piped = Kiln.started(List.of(), NATIVE, environment("COLUMNS", "60"), "analyze", SERIES);
        assertThat(piped.out().lines().filter(line -> line.startsWith("- ")))
                .isNotEmpty()
                .allMatch(line -> line.length() <= 60);
    }

    /** A serial line has 0 columns; a JVM may forbid to ask. */
    @ParameterizedTest
    @CsvSource({"0, --enable-native-access=ALL-UNNAMED", "120, --illegal-native-access=deny"})
    void whereItDoesNotTellItsWidthItIsTheUsualOne(int columns, String option) throws Exception {
        assertThat(width(printed(columns, List.of(option), environment(), "analyze", SERIES)))
                .isBetween(70, 80);
    }

    @ParameterizedTest
    @CsvSource({"TERM, dumb", "NO_COLOR, 1"})
    void whereNoneAreUnderstoodOrWantedThereAreNoEscapes(String variable, String value) throws Exception {
        Map<String, String> environment = environment(variable, value);
        assertThat(printed(80, NATIVE, environment, "analyze", SERIES))
                .contains("T90, s")
                .doesNotContain(ESCAPE);
        assertThat(printed(80, NATIVE, environment, "run", "--help"))
                .contains("Usage: kiln run")
                .doesNotContain(ESCAPE);
        String progress = Files.readString(ticks("script -qec \"stty cols 50; $RUN\" /dev/null", environment));
        assertThat(progress).doesNotContain(ESCAPE);
        assertThat(progress.replace("\r", "").lines().filter(line -> line.contains(" │ ")))
                .hasSize(2)
                .allMatch(line -> line.contains("C2   4 % CPU,  96 % waiting"));
    }

    @Test
    void aNoteIsBrokenBetweenWords() throws Exception {
        String note = "kiln: variant virtual is left out: no JDK 21 or later was found on this machine";
        String all = Files.readString(ticks("script -qec \"stty cols 30; $RUN\" /dev/null", environment("NOTE", note)))
                .replace("\r", "");
        List<String> lines = all.lines()
                .takeWhile(line -> !line.contains(ESCAPE))
                .filter(line -> !line.isEmpty())
                .toList();
        assertThat(lines).hasSizeGreaterThan(2).allMatch(line -> line.length() <= 30);
        assertThat(String.join(" ", lines)).isEqualTo(note);
    }

    /** What is piped is read later, on a screen of any width. */
    @ParameterizedTest
    @ValueSource(strings = {"", "40"})
    void aFileGetsAWholeLineEachTenSeconds(String columns) throws Exception {
        String progress = Files.readString(ticks("$RUN", environment("COLUMNS", columns)));
        assertThat(progress.lines()).hasSize(3).first().isEqualTo("kiln: a note");
        assertThat(progress.lines().skip(1))
                .allSatisfy(line -> assertThat(line)
                        .startsWith("1/2 platform │ warmup  ")
                        .contains("0/60 s │  1,379 req/s │ p99  320 ms │ C2   4 % CPU,  96 % waiting │ "));
        assertThat(progress).doesNotContain(ESCAPE);
    }

    /** Runs twenty seconds of {@link Ticks} by a shell, and returns what all streams got. */
    private Path ticks(String shell, Map<String, String> environment) throws Exception {
        if (shell.startsWith("script")) {
            require("script");
        }
        Path out = folder.resolve("out");
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "yes '' | head -20 | " + shell)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        builder.environment().putAll(environment);
        builder.environment().put("RUN", Ticks.program(folder).toString());
        assertThat(builder.start().waitFor()).as(Files.readString(out)).isZero();
        return out;
    }

    @Test
    void oneLineIsRewrittenAlsoWhereTheTerminalBecomesAnother() throws Exception {
        require("tmux");
        try (Tmux tmux = new Tmux(100, folder)) {
            tmux.waitFor("kiln: a note");
            assertThat(tmux.next(1))
                    .containsExactly("kiln: a note", line(1, "p99  320 ms │ C2   4 % CPU,  96 % waiting │ █"));
            tmux.resize(40);
            assertThat(tmux.next(2)).containsExactly("kiln: a note", "1/2 platform │ warmup   2/60 s │ ██");
            tmux.resize(200);
            assertThat(tmux.next(3))
                    .containsExactly("kiln: a note", line(3, "p99  320 ms │ C2   4 % CPU,  96 % waiting │ ███"));
            tmux.resize(80);
            assertThat(tmux.next(4)).containsExactly("kiln: a note", line(4, "C2   4 % CPU,  96 % waiting"));
            tmux.end();
            assertThat(tmux.waitFor("kiln: the end")).containsExactly("kiln: a note", "kiln: the end");
        }
    }

    private static String line(int second, String end) {
        return "1/2 platform │ warmup   " + second + "/60 s │  1,379 req/s │ " + end;
    }

    /** A second of a run passes with each line of the input. */
    @Command(name = "ticks")
    static final class Ticks implements Runnable {
        @Mixin
        private final Console console = new Console();

        public static void main(String[] args) {
            PrintWriter err = new PrintWriter(new TerminalWriter(new OutputStreamWriter(System.err, UTF_8)), true);
            System.exit(new CommandLine(new Ticks()).setErr(err).execute(args));
        }

        @Override
        public void run() {
            Phase.Load phase = new Phase.Load("warmup", Duration.ofSeconds(60));
            Progress progress = new Progress(console);
            progress.note(System.getenv().getOrDefault("NOTE", "kiln: a note"));
            progress.runStarted("platform", 1, 2);
            try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
                for (int second = 1; second <= 20 && in.readLine() != null; second++) {
                    progress.tick(
                            phase,
                            new Tick("warmup", second, 1379, 320_000_000, 0),
                            Optional.of(new CompilerLoad(0.04, 0.96, 1, 1, 0, OptionalInt.empty())));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            progress.closeLine();
        }

        /** Returns a program that runs it: a class path may be longer than the command lines of tmux. */
        static Path program(Path folder) throws IOException {
            Path program = folder.resolve("ticks.sh");
            Files.writeString(
                    program,
                    "#!/bin/sh\nexec '" + Path.of(System.getProperty("java.home"), "bin/java")
                            + "' -XX:TieredStopAtLevel=1 " + NATIVE.getFirst() + " -Dstdout.encoding=UTF-8"
                            + " -Dstderr.encoding=UTF-8 -cp '"
                            + System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                            + "' '" + Ticks.class.getName() + "'\n");
            assertThat(program.toFile().setExecutable(true)).isTrue();
            return program;
        }
    }

    /** A terminal that can be resized, with {@link Ticks} in it. */
    private static final class Tmux implements AutoCloseable {
        private static final long MOST_NANOS = Duration.ofSeconds(60).toNanos();
        private static final String NAME = "kiln";

        private final Path socket;

        Tmux(int columns, Path folder) throws Exception {
            socket = folder.resolve("tmux");
            // The screen is full, as that of a user is: what stands above goes up where lines are broken.
            String shell = "stty -echo; yes '' | head -24; " + Ticks.program(folder) + "; echo kiln: the end; read end";
            tell("-f", "/dev/null", "new-session", "-d", "-s", NAME, "-x", columns + "", "-y", "24", shell);
        }

        private String tell(String... words) throws IOException, InterruptedException {
            List<String> command = new ArrayList<>(List.of("tmux", "-u", "-S", socket.toString()));
            command.addAll(List.of(words));
            return said(command.toArray(String[]::new));
        }

        private static String said(String... command) throws IOException, InterruptedException {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().putAll(environment());
            // Where it is there at all, bash sets it anew before each command.
            builder.environment().remove("COLUMNS");
            Process process = builder.start();
            String said = new String(process.getInputStream().readAllBytes(), UTF_8);
            assertThat(process.waitFor()).as(said).isZero();
            return said;
        }

        void resize(int columns) throws Exception {
            tell("resize-window", "-t", NAME, "-x", columns + "", "-y", "24");
            // What runs in the terminal is told a little later.
            String device =
                    tell("display-message", "-p", "-t", NAME, "#{pane_tty}").strip();
            until(() -> said("stty", "-F", device, "size").equals("24 " + columns + "\n"));
        }

        private static void until(Callable<Boolean> done) throws Exception {
            long begin = System.nanoTime();
            while (!done.call()) {
                assertThat(System.nanoTime() - begin).isLessThan(MOST_NANOS);
                Thread.sleep(50);
            }
        }

        /** Lets a second pass, and returns the screen as it is then. */
        List<String> next(int second) throws Exception {
            tell("send-keys", "-t", NAME, "Enter");
            return waitFor(" " + second + "/60 s");
        }

        void end() throws Exception {
            tell("send-keys", "-t", NAME, "C-d");
        }

        /** Returns the lines that are not blank, with those that the screen no longer shows, once one has the text. */
        List<String> waitFor(String text) throws Exception {
            until(() -> screen().anyMatch(line -> line.contains(text)));
            return screen().toList();
        }

        private Stream<String> screen() throws IOException, InterruptedException {
            return tell("capture-pane", "-p", "-S", "-", "-t", NAME)
                    .lines()
                    .map(String::stripTrailing)
                    .filter(line -> !line.isEmpty());
        }

        @Override
        public void close() throws IOException {
            new ProcessBuilder("tmux", "-S", socket.toString(), "kill-server")
                    .start()
                    .onExit()
                    .join();
        }
    }
}
