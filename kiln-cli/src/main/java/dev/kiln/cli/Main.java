package dev.kiln.cli;

import dev.kiln.aot.AotCommand;
import dev.kiln.console.Console;
import dev.kiln.console.Installation;
import dev.kiln.console.ResultConsole;
import dev.kiln.console.StandardOutput;
import dev.kiln.doctor.DoctorCommand;
import dev.kiln.doctor.WarmCommand;
import dev.kiln.gate.GateCommand;
import dev.kiln.history.HistoryCommand;
import dev.kiln.model.KilnException;
import dev.kiln.model.Secrets;
import dev.kiln.report.JsonOut;
import dev.kiln.results.AnalyzeCommand;
import dev.kiln.results.CompareCommand;
import dev.kiln.results.ExplainCommand;
import dev.kiln.results.FlameCommand;
import dev.kiln.results.ImportCommand;
import dev.kiln.results.ReportCommand;
import dev.kiln.run.DemoCommand;
import dev.kiln.run.JdksCommand;
import dev.kiln.run.PlanCommand;
import dev.kiln.run.RunCommand;
import dev.kiln.serve.ServeCommand;
import dev.kiln.soak.SoakCommand;
import dev.kiln.startup.StartupCommand;
import dev.kiln.sweep.SweepCommand;
import dev.kiln.text.TerminalWriter;
import dev.kiln.tune.TuneCommand;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** Main is the program's entry, and the one place that turns a failure into a message and an exit code. */
@Command(
        name = "kiln",
        description = "Measures how long a JVM service takes to reach its peak performance, and why.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DemoCommand.class,
            RunCommand.class,
            SweepCommand.class,
            TuneCommand.class,
            SoakCommand.class,
            PlanCommand.class,
            ImportCommand.class,
            ReportCommand.class,
            ExplainCommand.class,
            AnalyzeCommand.class,
            CompareCommand.class,
            GateCommand.class,
            DoctorCommand.class,
            WarmCommand.class,
            StartupCommand.class,
            HistoryCommand.class,
            ServeCommand.class,
            AotCommand.class,
            JdksCommand.class,
            FlameCommand.class,
            CompletionCommand.class
        },
        footer = {
            "",
            "Exit codes: 0 fine; 1 ran and found a problem; 2 wrong usage or experiment file; 3 this machine cannot;",
            "4 inconclusive and 5 under-powered, of kiln gate; 4 cannot tell, of kiln tune;",
            "6 not warm and 8 cannot tell, of kiln doctor and kiln warm; 7 starved, of kiln doctor;",
            "70 a bug in Kiln; 130 interrupted."
        })
public final class Main implements Runnable {
    /** A bug of ours: the only case in which a user sees a stack trace (sysexits.h, EX_SOFTWARE). */
    static final int BUG = 70;

    /** The words that ask for the version alone: without any command's options it takes half the time. */
    private static final List<List<String>> VERSION = List.of(List.of("-V"), List.of("--version"));

    /** Help is bold where the terminal can; its escapes go the way of all others. */
    private static CommandLine.Help.ColorScheme help() {
        CommandLine.Help.Ansi ansi =
                Console.isPlainByEnvironment() ? CommandLine.Help.Ansi.OFF : CommandLine.Help.Ansi.AUTO;
        return new CommandLine.Help.ColorScheme.Builder(ansi)
                .commands(Bold.INSTANCE)
                .options(Bold.INSTANCE)
                .parameters(Bold.INSTANCE)
                .build();
    }

    private enum Bold implements CommandLine.Help.Ansi.IStyle {
        INSTANCE;

        @Override
        public String on() {
            return TerminalWriter.escape("[1m");
        }

        @Override
        public String off() {
            return TerminalWriter.escape("[0m");
        }
    }

    @Spec
    private @Nullable CommandSpec spec;

    public static void main(String[] args) {
        StandardOutput out = new StandardOutput();
        // In the terminal's own encoding.
        PrintWriter err = new PrintWriter(
                new OutputStreamWriter(System.err, StandardOutput.encoding(System.err.charset())), true);
        System.exit(out.end(run(List.of(args), out.writer(), err), err));
    }

    /** Runs one command in this process; returns the exit code. */
    public static int run(List<String> args, PrintWriter rawOut, PrintWriter rawErr) {
        PrintWriter out = new PrintWriter(new TerminalWriter(rawOut), true);
        PrintWriter err = new PrintWriter(new TerminalWriter(rawErr), true);
        if (VERSION.contains(args)) {
            out.println("kiln " + Installation.version());
            return 0;
        }
        CommandLine command = line(args)
                .addMixin("plain", new Console.PlainOption())
                .setOut(out)
                .setErr(err)
                .setUsageHelpAutoWidth(true)
                // A word such as @args belongs to the command behind "--": java reads such a file itself.
                .setExpandAtFiles(false)
                .setColorScheme(help())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Path.class, UsageError::path)
                .setExecutionStrategy(parsed -> {
                    requireOnce(parsed);
                    requireKnown(parsed);
                    return new CommandLine.RunLast().execute(parsed);
                })
                .setParameterExceptionHandler((e, given) -> UsageError.print(e, List.of(given), err))
                .setExecutionExceptionHandler((e, c, r) -> failure(e, err));
        tellVersion(command);
        int exit = executed(command, args, err);
        out.flush();
        err.flush();
        return exit;
    }

    /**
     * Returns a command line with the one command that the arguments mean, where that is clear: reading the options of
     * all commands takes longer than many a command runs. The completion needs all of them.
     */
    private static CommandLine line(List<String> args) {
        String first = args.isEmpty() ? "" : args.getFirst();
        return Stream.of(Main.class.getAnnotation(Command.class).subcommands())
                .filter(one -> one != CompletionCommand.class
                        && one.getAnnotation(Command.class).name().equals(first))
                .findFirst()
                .map(one -> new CommandLine(new SingleCommand()).addSubcommand(one))
                .orElseGet(() -> new CommandLine(new Main()));
    }

    /** Makes every command print Kiln's own version. */
    private static void tellVersion(CommandLine command) {
        command.getCommandSpec().versionProvider(new ManifestVersion());
        command.getSubcommands().values().forEach(Main::tellVersion);
    }

    /** A SingleCommand is the program with one command alone. */
    @Command(name = "kiln", mixinStandardHelpOptions = true)
    private static final class SingleCommand {}

    @Override
    public void run() {
        if (spec != null) {
            spec.commandLine().usage(spec.commandLine().getOut());
        }
    }

    /** Refuses an option that is given twice: the second would silently replace the first with its group. */
    private static void requireOnce(ParseResult parsed) {
        ParseResult last = parsed;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        List<String> words = last.originalArgs().stream()
                .takeWhile(word -> !word.equals("--"))
                .toList();
        for (OptionSpec option : last.commandSpec().options()) {
            long times = words.stream()
                    .filter(word -> List.of(option.names()).contains(word.replaceFirst("=.*", "")))
                    .count();
            if (times > 1 && !option.isMultiValue()) {
                throw new ParameterException(
                        last.commandSpec().commandLine(),
                        "option '" + option.longestName() + "' should be specified only once");
            }
        }
    }

    /** Refuses an unknown command beside {@code --help}: picocli would overlook it, and print the help of another. */
    private static void requireKnown(ParseResult parsed) {
        ParseResult last = parsed;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        CommandLine command = last.commandSpec().commandLine();
        List<String> unknown = last.unmatched();
        if (!unknown.isEmpty() && !command.getSubcommands().isEmpty()) {
            throw new UnmatchedArgumentException(command, unknown);
        }
    }

    private static int failure(Throwable e, PrintWriter err) {
        if (e instanceof KilnException known) {
            Console.note(err, "kiln: " + Secrets.HIDDEN.text(String.valueOf(known.getMessage())));
            if (!known.remedy().isBlank()) {
                Console.note(err, "  " + Secrets.HIDDEN.text(known.remedy()).replace("\n", "\n  "));
            }
            return known.exit().code();
        }
        if (e instanceof InvalidPathException path) {
            return failure(KilnException.usage(UsageError.complaint(path), "", path), err);
        }
        err.println("kiln: a bug in Kiln, please report it with what follows:");
        Console.trace(err, e);
        return BUG;
    }

    /** Runs the command, and makes of an Error the exit code of a bug: picocli's 1 means that a problem was found. */
    private static int executed(CommandLine command, List<String> args, PrintWriter err) {
        try {
            return command.execute(args.toArray(String[]::new));
        } catch (Error e) {
            return failure(e, err);
        }
    }

    @Command(
            name = "version",
            description = "Prints the version of Kiln, and of the Java that it runs on.",
            mixinStandardHelpOptions = true)
    void version(@Mixin ResultConsole console) {
        String java = Runtime.version().toString();
        console.print(
                () -> JsonOut.render(out -> {
                    out.text("version", Installation.version());
                    out.text("java", java);
                }),
                () -> "kiln " + Installation.version() + " on Java " + java + "\n");
    }

    @Command(
            name = "help",
            description = "Prints the help of Kiln, of a command, or a page of the documentation.",
            mixinStandardHelpOptions = true)
    void help(
            @Parameters(
                            paramLabel = "COMMAND|TOPIC",
                            arity = "0..*",
                            completionCandidates = HelpPage.Topics.class,
                            description = "A command, such as run, or aot check; or a topic: ${COMPLETION-CANDIDATES}.")
                    @Nullable
                    List<String> words) {
        if (spec == null) {
            return;
        }
        CommandLine asked = spec.commandLine();
        Optional<String> page = words != null && words.size() == 1 ? HelpPage.of(words.getFirst()) : Optional.empty();
        if (page.isPresent()) {
            asked.getOut().print(page.get());
            return;
        }
        for (String word : words == null ? List.<String>of() : words) {
            if (asked.getSubcommands().isEmpty()) {
                throw new ParameterException(
                        asked,
                        asked.getCommandSpec().qualifiedName() + " has no commands, so there is no '" + word + "'");
            }
            CommandLine next = asked.getSubcommands().get(word);
            if (next == null) {
                throw new UnmatchedArgumentException(asked, List.of(word));
            }
            asked = next;
        }
        asked.usage(asked.getOut());
    }

    /** ManifestVersion is the version in the jar's manifest. */
    static final class ManifestVersion implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"kiln " + Installation.version()};
        }
    }
}
