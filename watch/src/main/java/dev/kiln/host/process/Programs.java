package dev.kiln.host.process;

import dev.kiln.files.InputFile;
import dev.kiln.model.KilnException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Programs finds and runs programs of this machine. */
public final class Programs {
    /** The system keeps tools here that a user's PATH may leave out. */
    private static final String SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private Programs() {}

    /** A ProgramAnswer is a program's exit code with what it printed. */
    public record ProgramAnswer(int exit, String output) {}

    /**
     * Finds a program that Kiln runs itself, in the PATH or where the system keeps its tools. Where the PATH has a folder that is not
     * absolute it is left out: Kiln may be root, and work in a folder of somebody else's.
     */
    public static Optional<Path> find(String name) {
        String path = System.getenv().getOrDefault("PATH", "") + ":" + SYSTEM_PATH;
        return find(name, folders(path).filter(Path::isAbsolute));
    }

    /**
     * Finds a program as execvp(3) does by a process's environment in its folder, and nothing else.
     *
     * @param directory of the process; empty for that of Kiln
     */
    public static Optional<Path> inPath(String name, Optional<Path> directory, Map<String, String> environment) {
        Path here = directory.orElse(Path.of("")).toAbsolutePath();
        String path = environment.getOrDefault("PATH", System.getenv().getOrDefault("PATH", "/bin:/usr/bin"));
        // An empty entry is the folder itself.
        return find(name, folders(path).map(here::resolve));
    }

    private static Stream<Path> folders(String path) {
        return Stream.of(path.split(":", -1)).map(Path::of);
    }

    private static Optional<Path> find(String name, Stream<Path> folders) {
        return folders.map(folder -> folder.resolve(name))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }

    public static String utilLinux(String name) {
        return find(name)
                .map(Path::toString)
                .orElseThrow(() -> KilnException.machine(
                        "the program '" + name + "' of util-linux is missing",
                        "install it: apt-get install util-linux, or dnf install util-linux"));
    }

    /** Runs a program until it ends, and returns what it wrote to both streams. */
    public static ProgramAnswer run(List<String> command) {
        return run(command, ProcessBuilder.Redirect.PIPE, Process::getInputStream);
    }

    /** Runs a program that leaves children behind. They would keep a pipe open, so it writes to a file. */
    public static ProgramAnswer run(List<String> command, Path output) {
        return run(command, ProcessBuilder.Redirect.to(output.toFile()), process -> {
            process.waitFor();
            return InputFile.stream(output);
        });
    }

    private interface Output {
        InputStream of(Process process) throws IOException, InterruptedException;
    }

    private static ProgramAnswer run(List<String> command, ProcessBuilder.Redirect to, Output output) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(to)
                    .start();
            try (InputStream in = output.of(process)) {
                String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                return new ProgramAnswer(process.waitFor(), text.strip());
            }
        } catch (IOException e) {
            return new ProgramAnswer(127, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new ProgramAnswer(130, "interrupted");
        }
    }

    /** Ends a process that ends with its input; kills it if it takes longer than this. */
    public static void end(Process process, Closeable input, Duration limit) {
        try {
            input.close();
        } catch (IOException e) {
            // It is gone already.
        }
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Fails, naming the part of the lab, if there is no such program for a process's environment. */
    public static void requireProgram(
            String what, String program, Optional<Path> directory, Map<String, String> environment) {
        boolean there = program.contains("/")
                ? Files.isExecutable(directory.orElse(Path.of("")).resolve(program))
                : inPath(program, directory, environment).isPresent();
        if (!there) {
            String where = program.contains("/")
                    ? directory.map(folder -> " in " + folder).orElse("")
                    : " in the PATH";
            throw KilnException.usage(
                    "cannot start the " + what + ": no program '" + program + "'" + where,
                    "check the command; give a program outside the PATH with its folder, such as ./start.sh");
        }
    }
}
