package dev.kiln.importer.format;

import dev.kiln.files.InputFile;
import dev.kiln.text.CsvLine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A Format is a kind of file that can be imported, as its own file says; {@code Formats} lists them. */
public record Format(String words, Predicate<Head> recognises, FileContent content) {
    /** FileContent is what a file of a format becomes. */
    public sealed interface FileContent {}

    /** Loads says that a file is a load of its own, or several in turn; none if it has no record. */
    public record Loads(BiFunction<Path, ImportOptions, List<LoadSource>> of) implements FileContent {}

    /** OneLog says that a file is a log that accompanies a load, or in words why it has none. */
    public record OneLog(BiFunction<Path, ImportOptions, Optional<SystemLog>> of, Function<Path, String> without)
            implements FileContent {}

    /** WholeRuns says that a file has whole runs; the consumer gets what of the file is left out, and why. */
    public record WholeRuns(BiFunction<Path, Consumer<String>, List<ImportedRun>> of) implements FileContent {}

    /** A PartOfRun is read together with other files of the same run. */
    public enum PartOfRun implements FileContent {
        RECORDING,
        FACTS,
        HYPERFOIL_SERIES,
        HYPERFOIL_TOTALS,
        HYPERFOIL_DOCUMENT
    }

    /** These are the words for a file that is sound and empty. */
    public static final String NO_RECORD = "there is no record in it";

    public static Format loads(String words, Predicate<Head> recognises, Function<Path, Optional<LoadSource>> of) {
        return new Format(
                words,
                recognises,
                new Loads((file, options) -> of.apply(file).stream().toList()));
    }

    /** Tells whether a file belongs to a run whose load is another file. */
    public boolean beside() {
        return content instanceof OneLog
                || content == PartOfRun.RECORDING
                || content == PartOfRun.FACTS
                || content == PartOfRun.HYPERFOIL_TOTALS;
    }

    /** Tells whether files of a run are named by their phases, so that the name of a run is that of a folder. */
    public boolean namesPhases() {
        return content == PartOfRun.HYPERFOIL_SERIES || content == PartOfRun.HYPERFOIL_TOTALS;
    }

    /** A Head is a file's beginning, some thousands of bytes. */
    public record Head(byte[] bytes, String text, String first, String dense) {
        /** A file is recognised by so many bytes: documents of totals may begin at length, with a test's checks. */
        private static final int LENGTH = 1 << 16;

        /** This begins an object or a list; a prompt and a time in a log may begin with a bracket too. */
        private static final Pattern JSON = Pattern.compile("\\{|\\[\\s*(?:[\\[\\]{\"]|$)");

        public static Head of(Path file) {
            try (InputStream in = InputFile.followed(file)) {
                return of(in.readNBytes(LENGTH));
            } catch (IOException e) {
                throw Lines.unreadable(file.toString(), e);
            }
        }

        private static Head of(byte[] bytes) {
            String marked = new String(bytes, StandardCharsets.UTF_8);
            String text = marked.startsWith("\ufeff") ? marked.substring(1) : marked;
            String first = text.lines()
                    .dropWhile(CsvLine::isHint)
                    .findFirst()
                    .orElse("")
                    .strip();
            String begin = text.stripLeading();
            boolean json = JSON.matcher(begin).lookingAt();
            return new Head(bytes, text, first, json ? text.replaceAll("\\s", "") : "");
        }

        /** Returns the first line that is neither blank nor a remark: the header of a table. */
        public String header() {
            return text.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#") && !CsvLine.isHint(line))
                    .findFirst()
                    .orElse("")
                    .strip();
        }

        /** Tells whether the beginning is JSON that has all these parts, compared without white space. */
        public boolean json(String... parts) {
            return !dense.isEmpty() && Stream.of(parts).allMatch(dense::contains);
        }

        /** Tells whether the beginning is text, and one of its first lines matches. */
        public boolean line(int lines, Predicate<String> like) {
            return dense.isEmpty() && text.lines().limit(lines).anyMatch(like);
        }

        /** Tells whether the beginning is text, and its first line matches. */
        public boolean first(Predicate<String> like) {
            return dense.isEmpty() && like.test(first);
        }
    }

    /**
     * ImportOptions are what the user adds to the files.
     *
     * @param zone of logs in local time
     * @param process the target's process id, for logs of several processes
     * @param loadStart when the load began, for loads without times in their files
     * @param variant name of a single run's variant
     * @param mapping of CSV files that no format knows
     */
    public record ImportOptions(
            Optional<ZoneId> zone,
            OptionalInt process,
            Optional<Instant> loadStart,
            Optional<String> variant,
            Optional<CsvMapping> mapping) {}

    /** An ImportedRun is to be imported as one run, with flight recordings, and facts noted elsewhere. */
    public record ImportedRun(
            String variant,
            int run,
            List<LoadSource> loads,
            List<SystemLog> logs,
            List<Path> recordings,
            ImportedFacts facts) {
        public ImportedRun {
            loads = List.copyOf(loads);
            logs = List.copyOf(logs);
            recordings = List.copyOf(recordings);
        }

        /** Returns the same run of a variant with this before its name. */
        public ImportedRun below(String prefix) {
            return new ImportedRun(prefix + "-" + variant, run, loads, logs, recordings, facts);
        }

        /** ImportedFacts are what a lab's own record says of a run, up to the first answer and under load. */
        public record ImportedFacts(
                OptionalDouble startSeconds, OptionalLong residentBytes, OptionalDouble throughput) {
            public static final ImportedFacts NONE =
                    new ImportedFacts(OptionalDouble.empty(), OptionalLong.empty(), OptionalDouble.empty());
        }
    }
}
