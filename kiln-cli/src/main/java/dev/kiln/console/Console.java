package dev.kiln.console;

import dev.kiln.model.Secrets;
import dev.kiln.report.TerminalStyle;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** A Console is what a command prints to: it knows whether that is a terminal, its width and its colours. */
public class Console {
    /** A terminal that does not know its width has the one that most begin with. */
    private static final int USUAL_COLUMNS = 80;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    @Mixin
    private final PlainOption plain;

    /** PlainOption is the option for text without escapes; it may stand before a command or behind it. */
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

    /** Tells whether progress lines can be rewritten: a person watches a terminal that understands escapes. */
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

    /** Prints where a bug shows. Its message may have anything of what Kiln was given: its secrets are hidden too. */
    public static void trace(PrintWriter err, Throwable bug) {
        StringWriter trace = new StringWriter();
        bug.printStackTrace(new PrintWriter(trace, true));
        err.print(Secrets.HIDDEN.text(trace.toString()));
        err.flush();
    }

    /** Prints the commands that may follow below a result for people; a document for programs has no such lines. */
    public void next(NextStep... steps) {
        if (Installation.isFar()) {
            return;
        }
        out().print(NextStep.lines(List.of(steps), Installation.command(), style()));
        out().flush();
    }

    /** Returns what the standard output can show. */
    public final TerminalStyle style() {
        boolean screen = Terminal.is(Terminal.OUT);
        return style(Terminal.OUT, screen, screen && !isPlain(), StandardOutput.encoding());
    }

    /** Returns what a line of progress can show now: the terminal's width changes, and a file takes it whole. */
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

    /** Returns the same for whoever prints elsewhere. */
    public static Consumer<String> leftOut(PrintWriter err) {
        return run -> err.println("kiln: left out: " + Secrets.HIDDEN.text(run));
    }

    /** A Terminal is what a stream of this process may end in. It is asked by the stream's descriptor. */
    static final class Terminal {
        static final int OUT = 1;
        static final int ERR = 2;

        /** The request for the size, as asm-generic/ioctls.h has it for x86-64 and aarch64. */
        private static final long TIOCGWINSZ = 0x5413;

        /** The size is four unsigned shorts, of which the second has the columns: TIOCGWINSZ(2const). */
        private static final long SIZE_BYTES = 8;

        private static final long COLUMNS_AT = 2;

        private Terminal() {}

        /** Ioctl is the function of the C library; it is empty where Kiln may not call C. */
        private static final class Ioctl {
            private static final Optional<MethodHandle> FOUND = find();

            private Ioctl() {}

            @SuppressWarnings("restricted")
            private static Optional<MethodHandle> find() {
                try {
                    Linker linker = Linker.nativeLinker();
                    return Optional.of(linker.downcallHandle(
                            linker.defaultLookup().findOrThrow("ioctl"),
                            FunctionDescriptor.of(
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_LONG,
                                    ValueLayout.ADDRESS),
                            Linker.Option.firstVariadicArg(2)));
                } catch (RuntimeException | LinkageError notAllowed) {
                    return Optional.empty();
                }
            }
        }

        /**
         * Tells whether this stream is a terminal, by its link in {@code /proc}: the Java console only knows about both
         * streams together, and asking it loads a terminal library.
         */
        static boolean is(int descriptor) {
            try {
                String device = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                        .toString();
                return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty");
            } catch (IOException | UnsupportedOperationException e) {
                return false;
            }
        }

        /** Returns how many columns the terminal has now; empty where it does not know, such as a serial line. */
        static OptionalInt columns(int descriptor) {
            return Ioctl.FOUND.map(ioctl -> columns(ioctl, descriptor)).orElse(OptionalInt.empty());
        }

        private static OptionalInt columns(MethodHandle ioctl, int descriptor) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment size = arena.allocate(SIZE_BYTES, Short.BYTES);
                int result = (int) ioctl.invokeExact(descriptor, TIOCGWINSZ, size);
                int columns = Short.toUnsignedInt(size.get(ValueLayout.JAVA_SHORT, COLUMNS_AT));
                return result == 0 && columns > 0 ? OptionalInt.of(columns) : OptionalInt.empty();
            } catch (Throwable e) {
                // A method handle declares that it may throw anything; this one calls C.
                return OptionalInt.empty();
            }
        }
    }
}
