package dev.kiln.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The commands that README and documentation show, in the text and in its blocks. One with brackets shows a form and is none. */
public final class DocumentedCommands {
    static final Path DOCS = Path.of("../docs");

    /** Up to a comment, a pipe or the end of the code. */
    private static final Pattern COMMAND = Pattern.compile("\\./kiln ([^`#|\n]+)");

    private static final Pattern WORD = Pattern.compile("'[^']*'|[^\\s]+");

    private DocumentedCommands() {}

    /** @param text without {@code ./kiln}, one space between words */
    public record Documented(String page, String text) {
        /** As a shell hands them over. */
        public List<String> words() {
            return WORD.matcher(text)
                    .results()
                    .map(word -> word.group().replaceAll("^'(.*)'$", "$1"))
                    .toList();
        }

        @Override
        public String toString() {
            return page + ": " + text;
        }
    }

    public static List<Documented> all() {
        try (Stream<Path> walk = Files.walk(DOCS)) {
            return Stream.concat(Stream.of(DOCS.resolve("../README.md")), walk.sorted())
                    .filter(file -> file.toString().endsWith(".md"))
                    .flatMap(DocumentedCommands::of)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Documented> of(Path file) {
        try {
            String page = file.getFileName().toString();
            return COMMAND.matcher(Files.readString(file).replace("\\\n", " "))
                    .results()
                    .map(found -> found.group(1).strip().replaceAll("\\s+", " "))
                    .filter(command -> !command.contains("["))
                    .map(command -> new Documented(page, command));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
