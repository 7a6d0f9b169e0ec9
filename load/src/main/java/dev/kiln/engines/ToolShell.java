package dev.kiln.engines;

import dev.kiln.files.InputFile;
import dev.kiln.files.OutputFile;
import dev.kiln.host.process.Launcher;
import dev.kiln.host.process.Programs;
import dev.kiln.host.process.Signal;
import dev.kiln.model.KilnException;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A ToolShell is one process on the load's CPUs, the tools' parent, which the kernel kills with Kiln. */
final class ToolShell implements AutoCloseable {
    /** This loop reads the name of one script a line and runs it; it ends with its input. */
    private static final String LOOP = "while IFS= read -r script; do " + bound() + "/bin/sh \"$script\"; done";

    private static final long POLL_NANOS = 5_000_000;
    private static final Duration EXIT = Duration.ofSeconds(5);

    private final Process process;
    private final Writer in;
    private final Path folder;

    /** A Running is a program under way, by its script's pid; its exit code's file appears at its end. */
    record Running(long pid, long startNanos, Path output, Path exit) {
        boolean ended() {
            return Files.exists(exit)
                    || !ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
        }
    }

    /** @param folder for scripts and outputs */
    ToolShell(List<String> prefix, Path folder) {
        this.folder = folder;
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of("/bin/sh", "-c", LOOP));
        process = Launcher.startBound(
                "the load's shell",
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD));
        in = process.outputWriter(StandardCharsets.UTF_8);
    }

    /** Returns the prefix by which the kernel kills a command with its parent, be that the loop or the script. */
    private static String bound() {
        return Programs.find("setpriv")
                .map(setpriv -> setpriv + " --pdeathsig KILL -- ")
                .orElse("");
    }

    long pid() {
        return process.pid();
    }

    /** Starts a program and returns once it runs. */
    Running start(String name, List<String> command) {
        Path script = folder.resolve(name + ".sh");
        Path pid = folder.resolve(name + ".pid");
        Path exit = folder.resolve(name + ".exit");
        Path output = folder.resolve(name + ".out");
        String text = "echo $$ > " + quoted(pid + ".part") + "\nmv " + quoted(pid + ".part") + " " + quoted(pid + "")
                + "\n(exec " + bound()
                + String.join(" ", command.stream().map(ToolShell::quoted).toList()) + ") > "
                + quoted(output + "") + " 2>&1 < /dev/null\necho $? > " + quoted(exit + ".part") + "\nmv "
                + quoted(exit + ".part") + " " + quoted(exit + "") + "\n";
        try {
            Files.deleteIfExists(pid);
            Files.deleteIfExists(exit);
            OutputFile.replace(script, text);
            in.write(script + "\n");
            in.flush();
        } catch (IOException e) {
            throw KilnException.machine(e, "cannot start " + name, "check the free space in " + folder);
        }
        while (!Files.exists(pid)) {
            if (!process.isAlive()) {
                throw KilnException.machine("the load's shell has died", "check the machine's load and memory");
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return new Running(number(pid), System.nanoTime(), output, exit);
    }

    /** Ends the program by SIGTERM; whether it prints its figures then depends on the program. */
    static void stop(Running running) {
        stop(running, Signal.TERM);
    }

    static void stop(Running running, Signal signal) {
        ProcessHandle.of(running.pid())
                .ifPresent(script -> script.children().forEach(child -> {
                    if (signal == Signal.TERM) {
                        child.destroy();
                    } else {
                        signal.send(child.pid());
                    }
                }));
    }

    /** Returns the process of the program itself; empty when it does not run. */
    static Optional<ProcessHandle> program(Running running) {
        return ProcessHandle.of(running.pid()).stream()
                .flatMap(ProcessHandle::children)
                .findFirst();
    }

    /** Returns the CPU time so far of the program and of what it started, in ns; 0 before its start and after its end. */
    static long cpuNanos(Running running) {
        Optional<ProcessHandle> script = ProcessHandle.of(running.pid());
        return script.stream()
                .flatMap(ProcessHandle::descendants)
                .mapToLong(child ->
                        child.info().totalCpuDuration().map(Duration::toNanos).orElse(0L))
                .sum();
    }

    static int exitCode(Running running) {
        return (int) number(running.exit());
    }

    private static long number(Path file) {
        try {
            return Long.parseLong(InputFile.text(file, InputFile.DOCUMENT).strip());
        } catch (IOException | NumberFormatException e) {
            return -1;
        }
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        Programs.end(process, in, EXIT);
    }

    /** LastWords reads what a program printed. */
    static final class LastWords {
        private LastWords() {}

        /** Returns the lines of an output, without blank ones and those of stack traces. */
        static Stream<String> of(Path output) {
            try {
                return InputFile.text(output, InputFile.TABLE)
                        .lines()
                        .filter(line -> !line.isBlank() && !line.matches("\\s+(at |\\.\\.\\. \\d+ ).*"))
                        .map(String::strip);
            } catch (IOException e) {
                return Stream.empty();
            }
        }

        static String last(Path output) {
            List<String> lines = of(output).toList();
            return lines.isEmpty() ? "it said nothing" : lines.getLast();
        }
    }
}
