package dev.kiln.cli;

import dev.kiln.report.TerminalStyle;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What a command prints to, and what that can show. */
final class Console {
    private static final int DEFAULT_WIDTH = 100;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(names = "--no-colour", description = "Plain text; also by the environment variable NO_COLOR.")
    private boolean plain;

    PrintWriter out() {
        return spec().commandLine().getOut();
    }

    PrintWriter err() {
        return spec().commandLine().getErr();
    }

    /** Prints an answer as text; as JSON, there or into a file, where that is asked for instead. */
    void answer(Optional<Path> json, Supplier<String> asJson, Supplier<String> asText) {
        if (json.isPresent() && !TextFiles.isStandardOutput(json.get())) {
            TextFiles.write(json.get(), asJson.get());
        } else {
            out().print(json.isPresent() ? asJson.get() : asText.get());
        }
        out().flush();
    }

    /** Prints an answer as text, and writes it as JSON into a file too; {@code -} is JSON alone. */
    void answerAndKeep(Optional<Path> json, Supplier<String> asJson, Supplier<String> asText) {
        boolean jsonOnly = json.filter(TextFiles::isStandardOutput).isPresent();
        out().print(jsonOnly ? asJson.get() : asText.get());
        out().flush();
        json.filter(file -> !jsonOnly).ifPresent(file -> TextFiles.write(file, asJson.get()));
    }

    /** Whether progress lines can be rewritten: a person watches the error stream, not a file. */
    boolean live() {
        return isTerminal(2);
    }

    /** The Java console tells only of both streams at once, and costs a terminal library to ask. */
    private static boolean isTerminal(int descriptor) {
        try {
            String device = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    TerminalStyle style() {
        boolean colour = isTerminal(1) && !plain && System.getenv("NO_COLOR") == null;
        boolean unicode = Charset.defaultCharset().name().startsWith("UTF");
        return new TerminalStyle(width(), colour, unicode);
    }

    private static int width() {
        String columns = System.getenv().getOrDefault("COLUMNS", "");
        return columns.matches("\\d{2,4}") ? Math.min(DEFAULT_WIDTH, Integer.parseInt(columns)) : DEFAULT_WIDTH;
    }

    private CommandSpec spec() {
        if (command == null) {
            throw new IllegalStateException("not yet set by picocli");
        }
        return command;
    }
}
