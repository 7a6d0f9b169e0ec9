package dev.kiln.console;

import dev.kiln.report.TerminalStyle;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * A Console is what a command prints to, and knows whether that is a terminal, how wide it is, and whether it has
 * colours.
 */
public class Console {
    private static final int DEFAULT_WIDTH = 100;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    @Mixin
    private final PlainOption plain;

    /** The option for text without escapes; it may stand before a command or behind it. */
    public static final class PlainOption {
        @Option(
                names = {"--no-colour", "--no-color"},
                description = "Plain text; the environment variable NO_COLOR does the same.")
        private boolean asked;
    }

    public Console() {
        plain = new PlainOption();
    }

    public Console(Console other) {
        command = other.command;
        plain = other.plain;
    }

    public final PrintWriter out() {
        return spec().commandLine().getOut();
    }

    public final PrintWriter err() {
        return spec().commandLine().getErr();
    }

    /** Returns the command line as it was parsed, with what was given and what was not. */
    public final ParseResult parsed() {
        return spec().commandLine().getParseResult();
    }

    /**
     * Tells whether progress lines can be rewritten: the error stream is a terminal, which a person watches, and not a
     * file.
     */
    public final boolean live() {
        return isTerminal(2);
    }

    /**
     * Tells whether this stream is a terminal, by its link in {@code /proc}: the Java console only knows about both
     * streams together, and asking it loads a terminal library.
     */
    private static boolean isTerminal(int descriptor) {
        try {
            String device = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    public final TerminalStyle style() {
        boolean colour = isTerminal(1) && !isPlain();
        boolean unicode = Charset.defaultCharset().name().startsWith("UTF");
        return new TerminalStyle(width(), colour, unicode);
    }

    private boolean isPlain() {
        ParseResult kiln = spec().root().commandLine().getParseResult();
        // An empty variable asks for nothing (no-color.org).
        return plain.asked
                || kiln.hasMatchedOption("--no-colour")
                || !System.getenv().getOrDefault("NO_COLOR", "").isEmpty();
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

    /** Names, as it comes, each run that cannot be read. */
    public Consumer<String> leftOut() {
        return leftOut(err());
    }

    /** The same for whoever prints elsewhere. */
    public static Consumer<String> leftOut(PrintWriter err) {
        return run -> err.println("kiln: left out: " + run);
    }
}
