package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Kiln in a process of its own, to be signalled and killed. */
public final class Kiln {
    /** Of the JDK that runs the tests: a machine's own may be older than what they need, or not be there. */
    static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    /** A fixture's launch command, as in an experiment file. */
    static final String CURVE_SERVER =
            JAVA + " -Xshare:auto -cp " + fixtures() + " dev.kiln.fixtures.CurveServer --port ${port}";

    static final String FAULT_SERVER = JAVA + " -cp " + fixtures() + ":" + home("org.postgresql.Driver")
            + " dev.kiln.fixtures.faults.FaultServer --port ${port}";

    /** How a command ended and what it said. */
    record Answer(int exit, String out, String err) {
        /** All that was said is meant for people: no Java in it, and no slip of ours. */
        boolean humane() {
            // Indented are the last words of a target, which may say what it likes.
            String said = out + err.replaceAll("(?m)^  .*$", "");
            return Stream.of("\tat ", "Exception", "NaN", "null", "Infinity").noneMatch(said::contains);
        }
    }

    /** What went wrong is told to people, with these words. */
    static void assertTold(Answer answer, int exit, String... parts) {
        assertThat(answer.exit()).as(answer.err()).isEqualTo(exit);
        assertThat(answer.err()).contains(parts);
        assertThat(answer.humane()).as(answer.err()).isTrue();
    }

    /** Whether a run is invalid only because the machine had no CPU to spare, which a test must bear. */
    static boolean blamesTheMachine(String reason) {
        return reason.startsWith("other programs took") || reason.contains("to a stall of the load generator");
    }

    private final Process process;
    private final Path out;
    private final Path err;

    private Kiln(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Where the classes of the fixtures are: a folder, or a jar. */
    static String fixtures() {
        return home(dev.kiln.fixtures.CurveServer.class.getName());
    }

    /** The folder or jar that a class comes from. */
    static String home(String name) {
        try {
            return Path.of(Class.forName(name)
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (ClassNotFoundException | java.net.URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Runs a command in this process. Not one that measures beside other tests: it would move their process to its CPUs. */
    static Answer inProcess(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = Main.run(asItComes(args), new PrintWriter(out, true), new PrintWriter(err, true));
        return new Answer(exit, out.toString(), err.toString());
    }

    /** Tests share their machine: they neither wait for quiet CPUs nor repeat what others spoil. */
    private static List<String> asItComes(String... args) {
        List<String> words = new ArrayList<>(List.of(args));
        if (words.size() > 1 && List.of("run", "sweep", "tune").contains(words.getFirst())) {
            words.add(1, "--no-repeat");
        }
        return words;
    }

    /** Starts a command in a JVM of its own. */
    static Kiln start(Sandbox sandbox, String... args) {
        return start(sandbox, sandbox.jvm(), args);
    }

    /** Starts an experiment whose file this is. */
    static Kiln experiment(Sandbox sandbox, String yaml, String... flags) {
        List<String> words = new ArrayList<>(
                List.of("run", sandbox.file("experiment.yaml", yaml).toString(), "--results"));
        words.add(sandbox.results().toString());
        words.addAll(List.of(flags));
        return start(sandbox, words.toArray(String[]::new));
    }

    static Kiln start(Sandbox sandbox, ProcessBuilder jvm, String... args) {
        try {
            Path out = Files.createTempFile(sandbox.root(), "out", ".txt");
            Path err = Files.createTempFile(sandbox.root(), "err", ".txt");
            List<String> command = new ArrayList<>(jvm.command());
            command.addAll(asItComes(args));
            Process process = jvm.command(command)
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            process.getOutputStream().close();
            return new Kiln(process, out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String out() {
        return text(out);
    }

    String err() {
        return text(err);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Kiln await(String what, BooleanSupplier condition) {
        Waiting.until(what, () -> condition.getAsBoolean() || !process.isAlive());
        if (!process.isAlive() && !condition.getAsBoolean()) {
            throw new AssertionError("Kiln ended before " + what + ":\n" + text(out) + err());
        }
        return this;
    }

    Kiln awaitSaid(String text) {
        return await("it says: " + text, () -> err().contains(text));
    }

    /** @param name as {@code kill} knows it */
    Kiln signal(String name) {
        kill(name, process.pid());
        return this;
    }

    static void kill(String name, long pid) {
        try {
            new ProcessBuilder("sh", "-c", String.format(Locale.ROOT, "kill -%s %d", name, pid))
                    .start()
                    .waitFor();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    Answer end() {
        Waiting.until("Kiln to end; it said: " + err(), () -> !process.isAlive());
        return new Answer(process.exitValue(), text(out), err());
    }
}
