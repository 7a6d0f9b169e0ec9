package dev.kiln.remote;

import dev.kiln.host.process.Launcher;
import dev.kiln.host.process.Programs;
import dev.kiln.model.KilnException;
import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.Where.AttachPoint;
import dev.kiln.model.experiment.Where.HostPlace;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/** A FarShell is a POSIX shell where the target is: behind ssh, or behind any command that passes both streams on. */
interface FarShell {
    /** An Input writes the input of the far command. */
    interface Input {
        void writeTo(OutputStream out) throws IOException;
    }

    /** No script of Kiln's says more than this; what writes without an end is ended. */
    int MOST_SAID = 16 << 20;

    /** The shell there tells the exit code of a script in a line that begins so. */
    String TELLS = "kiln-far-exit ";

    /**
     * A ShellEnd is the end of a script.
     *
     * @param exit the code that the shell there told; empty where it told none, whatever the command ended with that leads
     *     there
     * @param said all else that was written
     */
    record ShellEnd(OptionalInt exit, String said) {
        static ShellEnd of(String written) {
            OptionalInt exit = OptionalInt.empty();
            List<String> said = new ArrayList<>();
            for (String line : written.lines().toList()) {
                OptionalInt told = told(line);
                if (told.isPresent()) {
                    exit = told;
                } else {
                    said.add(line);
                }
            }
            return new ShellEnd(exit, String.join("\n", said).strip());
        }
    }

    /** Returns the place in words, as messages have it. */
    String name();

    /** Returns the command that runs a script there. */
    List<String> command(String script);

    /** Returns the name or address of that place for the load: engines of containers publish ports here, and tunnels end here. */
    default String address() {
        return "localhost";
    }

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
        return "the connection to " + name() + " was lost";
    }

    /** Says that no script could be run there. */
    KilnException noConnection(String said);

    /** Tells whether the command that leads there ends so where there is no connection. One unknown may end with any code. */
    default boolean isCut(int exit) {
        return false;
    }

    /**
     * Runs a script there to its end.
     *
     * @param limit after which it is ended
     * @return its end, without a code where there was no shell
     * @throws KilnException if there is no connection, or no answer in time
     */
    default ShellEnd run(String script, Duration limit, Input input) {
        Process process = Launcher.startBound(
                "the connection to " + name(), new ProcessBuilder(command(telling(script))).redirectErrorStream(true));
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
            ShellEnd end = ShellEnd.of(reading.join());
            if (late.isOver()) {
                throw noConnection(late.words());
            }
            if (end.exit().isEmpty() && isCut(exit)) {
                throw noConnection(end.said());
            }
            return end;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw KilnException.machine("interrupted while talking to " + name(), "run it again", e);
        }
    }

    private static String read(Process process) {
        try (var in = process.getInputStream()) {
            byte[] said = in.readNBytes(MOST_SAID);
            if (said.length == MOST_SAID) {
                process.destroyForcibly();
            }
            return new String(said, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns a script that also tells the code with which another one ends. */
    private static String telling(String script) {
        return "(\n" + script + ")\ns=$?\n" + tells("$s") + "exit $s\n";
    }

    /** Returns the line of a script that tells an exit code. */
    static String tells(String code) {
        return "echo \"" + TELLS + code + "\" >&2\n";
    }

    /** Returns the exit code that a line tells; empty for any other line. */
    static OptionalInt told(String line) {
        String code = line.startsWith(TELLS) ? line.substring(TELLS.length()).strip() : "";
        return code.matches("\\d{1,3}") ? OptionalInt.of(Integer.parseInt(code)) : OptionalInt.empty();
    }

    /**
     * Says that nothing there can run the agent.
     *
     * @param found the versions of Java that are there, in words; empty for none
     * @param tried what became of a runtime that was sent, in words that follow; empty where none was
     */
    default KilnException noJdk(String found, String tried) {
        return KilnException.machine(
                name() + ": found no JDK 25 or later there" + (found.isEmpty() ? "" : ", only " + found)
                        + ", and Kiln's recorder needs one" + tried,
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

    /**
     * A FarLimit ends a process that talks to another place, and what it started, after a time, or when this is closed: one
     * that hangs may neither answer nor take its input, so no wait for it would end.
     */
    record FarLimit(Duration limit, Process process, AtomicBoolean over, CompletableFuture<Void> timer)
            implements AutoCloseable {
        static FarLimit of(Duration limit, Process process) {
            AtomicBoolean over = new AtomicBoolean();
            // No thread of the common pool: readers that wait may hold all of them.
            CompletableFuture<Void> timer = CompletableFuture.runAsync(
                    () -> {
                        over.set(true);
                        end(process);
                    },
                    CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS, Runnable::run));
            return new FarLimit(limit, process, over, timer);
        }

        static void end(Process process) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }

        boolean isOver() {
            return over.get();
        }

        /** Says that it was over, as the reason of a message. */
        String words() {
            return "no answer within " + limit.toSeconds() + " s";
        }

        @Override
        public void close() {
            timer.cancel(false);
            end(process);
        }
    }

    /**
     * A Pipe is a command of the user's that runs a program somewhere and passes its input and output on, such as
     * {@code podman exec -i NAME}.
     */
    record Pipe(HostPlace place) implements FarShell {
        @Override
        public String name() {
            return place.name();
        }

        /** Returns the command without the script and its secrets. */
        private String typed() {
            return String.join(" ", Secrets.HIDDEN.command(place.via()));
        }

        @Override
        public List<String> command(String script) {
            Programs.requireProgram("agent (via)", place.via().getFirst(), Optional.empty(), Map.of());
            return Stream.concat(place.via().stream(), Stream.of("sh", "-c", script))
                    .toList();
        }

        @Override
        public String giving(String variable, String value) {
            return "give it behind the command: via: " + typed() + " env " + variable + "=" + value;
        }

        @Override
        public KilnException noConnection(String said) {
            return KilnException.machine(
                    "no shell at " + name() + ": " + FarShell.lastLine(said),
                    "this must work, without a terminal: " + typed() + " sh -c true");
        }
    }
}
