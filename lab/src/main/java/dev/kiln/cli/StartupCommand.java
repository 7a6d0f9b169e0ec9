package dev.kiln.cli;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.plan.StartupFlags;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kiln startup}: the start-up of two commands, interleaved. */
@Command(
        name = "startup",
        description = "Compares the start-up of two commands, of JVMs or any program: pairs A B A B ..., each start to"
                + " its end, to a port, a URL or a line of output.",
        mixinStandardHelpOptions = true,
        customSynopsis = {
            "kiln startup [OPTIONS] 'COMMAND A' 'COMMAND B'",
            "       kiln startup --table FILE|DIR [--discard N] [--csv | --markdown | --json -]"
        })
final class StartupCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "COMMAND",
            arity = "0..*",
            description =
                    "Each with its arguments in quotes, as one text; no shell is between. $${port} stands for a free"
                            + " port that Kiln chooses.")
    private List<String> commands = List.of();

    @Option(
            names = {"-n", "--name"},
            description = "Names of A and B, one each, in their order (A, B).")
    private List<String> names = List.of();

    @Option(names = "--pairs", description = "Pairs that count (10).")
    private @Nullable Integer pairs;

    @Option(names = "--discard", description = "Pairs before those (1; 0 of a --table).")
    private @Nullable Integer discard;

    @Option(names = "--seed", description = "Draw from it which of each pair comes first (always A).")
    private @Nullable Long seed;

    @Option(
            names = "--ready",
            description =
                    "What ends a start: exit, http://HOST:PORT/PATH, port:N, log:REGEX (exit; with --log its line).")
    private @Nullable String ready;

    @Option(
            names = "--log",
            paramLabel = "REGEX",
            description = "Compare the number in its first group instead of the time, as in 'Booted .* in (\\d+) ms'.")
    private @Nullable String log;

    @Option(names = "--unit", description = "Of that number, where the line does not say it.")
    private @Nullable String unit;

    @Option(names = "--ready-timeout", description = "How long a start may take (120s).")
    private @Nullable String timeout;

    @Option(names = "--cpus", description = "CPUs of the commands, as 0 or 0-3 (half of them, 4 at most).")
    private @Nullable String cpus;

    @Option(names = "--cold", description = "Drop the page cache before each start; needs root.")
    private boolean cold;

    @Option(
            names = {"-i", "--ignore-failure"},
            description = "A command may end with any exit code.")
    private boolean ignoreFailure;

    @Option(names = "--table", paramLabel = "FILE|DIR", description = "Render a table Run,A,B, or recorded results.")
    private @Nullable Path table;

    @Option(names = "--effect", description = "Change in %% for which the pairs needed are given (5).")
    private double effectPercent = 5;

    @Option(names = "--csv", description = "Print the table alone.")
    private boolean csv;

    @Option(names = "--markdown", description = "Print Markdown.")
    private boolean markdown;

    @Mixin
    private final Outputs outputs = new Outputs();

    @Mixin
    private final Console console = new Console();

    @Override
    public Integer call() {
        if (!(effectPercent > 0) || Double.isInfinite(effectPercent)) {
            throw new KilnException(Exit.USAGE, "--effect: found " + effectPercent, "give a percentage above 0");
        }
        StartupSession.Rendering rendering =
                new StartupSession.Rendering(console, outputs.json(), csv, markdown, effectPercent / 100);
        if (table != null) {
            if (!commands.isEmpty()) {
                throw new KilnException(Exit.USAGE, "--table and commands", "give the one or the others");
            }
            rendering.table(table, number(discard));
            return 0;
        }
        return new StartupSession(console, outputs, rendering)
                .run(new StartupFlags(
                                Path.of("").toAbsolutePath(),
                                commands,
                                names,
                                Optional.ofNullable(ready),
                                Optional.ofNullable(log),
                                Optional.ofNullable(unit),
                                Optional.ofNullable(timeout),
                                number(pairs),
                                number(discard),
                                seed == null ? OptionalLong.empty() : OptionalLong.of(seed),
                                Optional.ofNullable(cpus),
                                cold,
                                ignoreFailure)
                        .toSpec());
    }

    private static OptionalInt number(@Nullable Integer value) {
        return value == null ? OptionalInt.empty() : OptionalInt.of(value);
    }
}
