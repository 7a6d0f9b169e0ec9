package dev.kiln.console;

import dev.kiln.report.TerminalStyle;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * A Console is what a command prints to, and knows whether that is a terminal, how wide it is now, and whether it has
 * colours.
 */
public class Console {
    /** A terminal that does not know its width has the one that most begin with. */
    private static final int USUAL_COLUMNS = 80;

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
     * Tells whether progress lines can be rewritten: the error stream is a terminal, which a person watches, it
     * understands escapes, and they are wanted.
     */
    public final boolean live() {
        return Terminal.is(Terminal.ERR) && !isPlain();
    }

    /** Prints a note for people to the error stream. */
    public final void note(String text) {
        note(err(), text);
    }

    /** Prints a note to this error stream, line by line, each broken between words where the terminal is too narrow. */
    public static void note(PrintWriter err, String text) {
        TerminalStyle style = errorStyle(Terminal.is(Terminal.ERR), false);
        text.lines().forEach(line -> err.print(style.line(line, UnaryOperator.identity())));
        err.flush();
    }

    /** Prints the commands that may follow below a result for people; a document for programs has no such lines. */
    public void next(NextStep... steps) {
        out().print(NextStep.lines(List.of(steps), Installation.command(), style()));
        out().flush();
    }

    /** Returns what the standard output can show. */
    public final TerminalStyle style() {
        boolean screen = Terminal.is(Terminal.OUT);
        return style(Terminal.OUT, screen, screen && !isPlain(), StandardOutput.encoding());
    }

    /**
     * Returns what a line of progress can show now: the terminal may have another width than a second ago, and what is
     * not rewritten is whole.
     */
    public final TerminalStyle liveStyle() {
        return errorStyle(live(), live());
    }

    private static TerminalStyle errorStyle(boolean screen, boolean colour) {
        return style(Terminal.ERR, screen, colour, StandardOutput.encoding(System.err.charset()));
    }

    private static TerminalStyle style(int descriptor, boolean screen, boolean colour, Charset encoding) {
        OptionalInt told = told();
        int columns = !screen
                ? TerminalStyle.FILE
                : told.orElseGet(() -> Terminal.columns(descriptor).orElse(USUAL_COLUMNS));
        int text = screen ? columns : told.orElse(TerminalStyle.TEXT);
        return new TerminalStyle(
                Math.min(TerminalStyle.TEXT, text), columns, colour, TerminalStyle.isDrawnIn(encoding));
    }

    private boolean isPlain() {
        ParseResult kiln = spec().root().commandLine().getParseResult();
        return plain.asked || kiln.hasMatchedOption("--no-colour") || isPlainByEnvironment();
    }

    /** Tells whether the environment asks for text without escapes, or says that the terminal understands none. */
    public static boolean isPlainByEnvironment() {
        // An empty variable asks for nothing (no-color.org). What has no name is taken for dumb, as git does it.
        return !System.getenv().getOrDefault("NO_COLOR", "").isEmpty()
                || System.getenv().getOrDefault("TERM", "dumb").equals("dumb");
    }

    /** Returns the width that the user wants, whatever the terminal has. */
    private static OptionalInt told() {
        String columns = System.getenv().getOrDefault("COLUMNS", "");
        return columns.matches("\\d{2,4}") ? OptionalInt.of(Integer.parseInt(columns)) : OptionalInt.empty();
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
