package dev.kiln.cli;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kiln completion} prints the completion of bash and zsh as picocli writes it; picocli has none for fish. */
@Command(
        name = "completion",
        description = "Prints the script with which a shell completes Kiln's commands and options.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "bash, zsh: source <(kiln completion bash)",
            "fish:      kiln completion fish > ~/.config/fish/completions/kiln.fish"
        })
final class CompletionCommand implements Callable<Integer> {
    enum Shell {
        BASH,
        ZSH,
        FISH
    }

    @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
    private Shell shell = Shell.BASH;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        if (spec != null) {
            CommandLine kiln = spec.root().commandLine();
            kiln.getOut().print(shell == Shell.FISH ? fish(kiln) : AutoComplete.bash("kiln", kiln));
            kiln.getOut().flush();
        }
        return 0;
    }

    private static String fish(CommandLine kiln) {
        String none = "__fish_use_subcommand";
        return options(kiln.getCommandSpec(), none) + commands(kiln, none, "");
    }

    /** Writes the commands of a command, and theirs, where none of them was given, and others were. */
    private static String commands(CommandLine of, String none, String given) {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, CommandLine> command : of.getSubcommands().entrySet()) {
            CommandSpec its = command.getValue().getCommandSpec();
            String here = given + "__fish_seen_subcommand_from " + command.getKey();
            String below = String.join(" ", command.getValue().getSubcommands().keySet());
            text.append("complete -c kiln -f -n '")
                    .append(none)
                    .append("' -a ")
                    .append(command.getKey())
                    .append(" -d ")
                    .append(quoted(its.usageMessage().description()))
                    .append('\n')
                    .append(options(its, here))
                    .append(commands(
                            command.getValue(),
                            here + "; and not __fish_seen_subcommand_from " + below,
                            here + "; and "));
        }
        return text.toString();
    }

    private static String options(CommandSpec command, String when) {
        return command.options().stream()
                .filter(option -> !option.hidden())
                .map(option -> "complete -c kiln -n '" + when + "'" + names(option) + values(option) + " -d "
                        + quoted(option.description()) + "\n")
                .collect(Collectors.joining());
    }

    private static String names(OptionSpec option) {
        StringBuilder names = new StringBuilder();
        for (String name : option.names()) {
            names.append(name.startsWith("--") ? " -l " : " -s ").append(name.replaceFirst("^--?", ""));
        }
        return names.toString();
    }

    /** A value may be a file, unless its values are known. */
    private static String values(OptionSpec option) {
        if (option.completionCandidates() != null) {
            return " -xa "
                    + quoted(StreamSupport.stream(option.completionCandidates().spliterator(), false)
                            .collect(Collectors.joining(" ")));
        }
        return option.arity().max() > 0 ? " -r" : "";
    }

    private static String quoted(String... lines) {
        return "'" + String.join(" ", lines).replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
