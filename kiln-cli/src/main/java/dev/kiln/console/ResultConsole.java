package dev.kiln.console;

import dev.kiln.model.KilnException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** A ResultConsole is the console of a command whose result is text, or JSON by {@code --json}. */
public final class ResultConsole extends Console {
    @Option(
            names = "--json",
            paramLabel = "FILE",
            arity = "0..1",
            fallbackValue = "-",
            description =
                    "Also writes the result as JSON to FILE; with - or no FILE, to the standard output in place of"
                            + " the text.")
    private Optional<Path> json = Optional.empty();

    public ResultConsole() {}

    private ResultConsole(Console other) {
        super(other);
    }

    /** Returns the same console for a part of the command whose result is not the command's. */
    public ResultConsole withoutJson() {
        return new ResultConsole(this);
    }

    public void print(Supplier<String> asJson, Supplier<String> asText) {
        out().print(isJson() ? asJson.get() : asText.get());
        out().flush();
        if (!isJson()) {
            json.ifPresent(file -> TextFiles.writeNamed(file, asJson.get()));
        }
    }

    @Override
    public void next(NextStep... steps) {
        if (!isJson()) {
            super.next(steps);
        }
    }

    /** Tells whether the standard output gets JSON, and therefore nothing else. */
    public boolean isJson() {
        return json.filter(TextFiles::isStandardOutput).isPresent();
    }

    /** Returns the stream for text that follows the result: the error stream if the standard output has JSON. */
    public PrintWriter after() {
        return isJson() ? err() : out();
    }

    /**
     * Refuses two documents in one stream.
     *
     * @param options that print one: always if they have no value, else with the value {@code -}
     */
    public void requireOneDocument(String... options) {
        ParseResult given = parsed();
        List<OptionSpec> printing = Stream.concat(Stream.of(options), Stream.of("--json"))
                .filter(given::hasMatchedOption)
                .map(given::matchedOption)
                .filter(option ->
                        isFlag(option) || option.originalStringValues().contains("-"))
                .toList();
        if (printing.size() > 1) {
            throw KilnException.usage(
                    printing.stream()
                                    .map(option -> option.longestName() + (isFlag(option) ? "" : " -"))
                                    .collect(Collectors.joining(" and "))
                            + " cannot share the standard output",
                    !isFlag(printing.getLast())
                            ? "give one of them, or write the JSON to a file: --json FILE"
                            : "give one of them");
        }
    }

    private static boolean isFlag(OptionSpec option) {
        return option.arity().max() == 0;
    }
}
