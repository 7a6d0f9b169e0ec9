package dev.kiln.build;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A KilnProcess is one command of Kiln that has ended.
 *
 * @param command the launcher and its words
 * @param last what it said last
 */
record KilnProcess(List<String> command, int exitCode, List<String> last) {
    /** The table of a gate with its notes has some 20 lines. */
    private static final int LINES = 30;

    /** Kiln ends its service and its database first. */
    private static final long PATIENCE_SECONDS = 30;

    /** Runs the command to its end; an interruption ends it, and whatever it started. */
    static KilnProcess run(List<String> command, Consumer<String> said) throws IOException, InterruptedException {
        Process process = start(command);
        // A build that is ended leaves no service behind.
        Thread hook = new Thread(process::destroy, "kiln-ends-with-the-build");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            Deque<String> last = new ArrayDeque<>();
            // A thread of its own, because a read cannot be interrupted.
            Thread reader = new Thread(() -> read(process, said, last), "kiln-output");
            reader.setDaemon(true);
            reader.start();
            int exitCode = process.waitFor();
            reader.join();
            return new KilnProcess(command, exitCode, List.copyOf(last));
        } catch (InterruptedException e) {
            end(process);
            throw e;
        } finally {
            forget(hook);
        }
    }

    private static Process start(List<String> command) throws IOException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            return process;
        } catch (IOException e) {
            throw new IOException(
                    "cannot start Kiln as '" + command.get(0) + "': " + e.getMessage()
                            + "\nInstall a release of Kiln. Then put kiln on the PATH, or set the environment variable KILN to its"
                            + " path, or give the path as the launcher.",
                    e);
        }
    }

    private static void read(Process process, Consumer<String> said, Deque<String> last) {
        try (BufferedReader lines = process.inputReader(encoding())) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                said.accept(line);
                last.add(line);
                if (last.size() > LINES) {
                    last.remove();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the encoding in which Kiln prints: that of the locale, and UTF-8 where that is ASCII alone. */
    private static Charset encoding() {
        Charset told = Charset.forName(System.getProperty("native.encoding", StandardCharsets.UTF_8.name()));
        return told.equals(StandardCharsets.US_ASCII) ? StandardCharsets.UTF_8 : told;
    }

    private static void end(Process process) throws InterruptedException {
        process.destroy();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // This JVM ends: the hook has its work to do.
            return;
        }
    }

    /** Returns the command, its exit code and what it said last. */
    String told() {
        return "kiln " + String.join(" ", command.subList(1, command.size())) + "\nended with exit code " + exitCode
                + (last.isEmpty() ? " and said nothing" : ":\n" + String.join("\n", last));
    }
}
