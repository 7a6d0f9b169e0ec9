package dev.kiln.remote;

import dev.kiln.host.process.Launcher;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Where.AttachPoint;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A FarShell is a POSIX shell where the target is: behind ssh, or behind any command that passes both streams on. */
interface FarShell {
    /** An Input writes the input of the far command. */
    interface Input {
        void writeTo(OutputStream out) throws IOException;
    }

    /** A ShellEnd is the end of a far command: its exit code, and what it wrote. */
    record ShellEnd(int exit, String said) {}

    /** Returns the place in words, as messages have it. */
    String name();

    /** Returns the command that runs a script there. */
    List<String> command(String script);

    /** Returns the name or address of that place for the load. */
    String address();

    /** Returns how the agent there is given a variable, as a remedy. */
    String giving(String variable, String value);

    /** Returns the question that has the agent attach to a process. */
    default Ask.AttachTarget attach(AttachPoint point, boolean jitQueries, boolean threadDumps) {
        return new Ask.AttachTarget(point, Set.of(), jitQueries, threadDumps, OptionalLong.empty());
    }

    /** Returns what tells the place from one that takes it over under the same name; empty where that cannot be known. */
    default Optional<String> identity() {
        return Optional.empty();
    }

    /** Says that a connection was lost, and why if that can be known. */
    default String lost() {
        return "the connection to the target's machine was lost";
    }

    /** Says that no script could be run there. */
    KilnException noConnection(String said);

    /** Tells whether a script ended so because there was no connection. */
    boolean isCut(int exit);

    /**
     * Runs a script there to its end.
     *
     * @param limit after which it is ended
     * @throws KilnException if there is no connection, or no answer in time
     */
    default ShellEnd run(String script, Duration limit, Input input) {
        Process process = Launcher.startBound(
                "the connection to " + name(), new ProcessBuilder(command(script)).redirectErrorStream(true));
        FarLimit late = FarLimit.of(limit, process);
        try (late) {
            CompletableFuture<String> reading = CompletableFuture.supplyAsync(() -> read(process));
            try (OutputStream out = process.getOutputStream()) {
                input.writeTo(out);
            } catch (IOException e) {
                // It ended before it read everything. Its output tells why.
                process.waitFor();
            }
            int exit = process.waitFor();
            String said = reading.join().strip();
            if (late.isOver()) {
                throw noConnection(late.words());
            }
            if (isCut(exit)) {
                throw noConnection(said);
            }
            return new ShellEnd(exit, said);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw KilnException.machine("interrupted while talking to " + name(), "run it again", e);
        }
    }

    private static String read(Process process) {
        try (var in = process.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    /**
     * Says that nothing there can run the agent.
     *
     * @param found the versions of Java that are there, in words; empty for none
     */
    default KilnException noJdk(String found) {
        return KilnException.machine(
                name() + ": found no JDK 25 or later there" + (found.isEmpty() ? "" : ", only " + found)
                        + ", and Kiln's recorder needs one",
                "install one there, or " + giving("KILN_JAVA_HOME", "/path/of/it")
                        + "; the target may use a different JDK");
    }

    /** Returns the last line that may be a reason; kubectl's own line about the exit code, which follows it, is none. */
    static String lastLine(String said) {
        List<String> lines = said.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !isExitCode(line))
                .toList();
        return lines.isEmpty() ? "it said nothing" : lines.getLast();
    }

    /** Tells whether kubectl says of a command there with which code it ended. */
    static boolean isExitCode(String line) {
        return line.matches("command terminated with exit code \\d+");
    }
}
