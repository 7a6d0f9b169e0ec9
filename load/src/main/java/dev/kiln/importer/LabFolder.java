package dev.kiln.importer;

import dev.kiln.files.InputFile;
import dev.kiln.importer.format.CsvMapping;
import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.program.SeriesCsv;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.text.CsvLine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A LabFolder finds what can be imported below the paths given. */
final class LabFolder {
    /** The folders of a lab are not deeper. A disk's root is not a lab. */
    private static final int DEPTH = 10;

    private static final int MOST_FILES = 100_000;

    /** The message that nothing was found names at most this many files. */
    private static final int MOST_REMARKS = 3;

    /** Beginnings of compressed files, in ISO 8859-1, and the program that unpacks what begins so. */
    private static final Map<String, String> UNPACKERS = Map.of(
            "BZh", "bunzip2",
            "\u001f\u008b", "gunzip",
            "PK\u0003\u0004", "unzip",
            "\u00fd7zXZ", "unxz",
            "(\u00b5/\u00fd", "unzstd");

    /** These words say of a file that nobody knows what it is. */
    private static final String UNKNOWN = " is not a file that Kiln can import";

    private LabFolder() {}

    /** A FoundFile can be imported; its place begins with the name of the folder that it was found below. */
    record FoundFile(Path file, Format format, List<String> place) {
        FoundFile {
            place = List.copyOf(place);
        }
    }

    /**
     * FolderFiles were found; missed are named ones that fail, remarks other ones that look importable, and asides are of
     * others that are beside them, and are said only where nothing was found.
     */
    record FolderFiles(List<FoundFile> found, List<String> missed, List<String> remarks, List<String> asides) {
        /** Notes a file of unknown format: a user who named the file must learn that it was not imported. */
        private void unknown(boolean named, String why) {
            (named ? missed : remarks).add(why);
        }
    }

    static FolderFiles find(List<Path> paths, Optional<CsvMapping> mapping) {
        FolderFiles findings =
                new FolderFiles(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (Path path : paths) {
            if (!Files.exists(path)) {
                throw KilnException.usage("no such file or folder: " + path, "name result files or folders");
            }
            Path root = path.toAbsolutePath().normalize();
            refuseEvidence(root);
            for (Path file : files(root, findings)) {
                format(file, mapping, file.equals(root), findings)
                        .ifPresent(known -> findings.found().add(new FoundFile(file, known, place(root, file))));
            }
        }
        if (findings.found().isEmpty()) {
            String why = Stream.of(findings.missed(), findings.remarks(), findings.asides())
                    .flatMap(List::stream)
                    .limit(MOST_REMARKS)
                    .collect(Collectors.joining("; "));
            throw KilnException.usage(
                    "nothing to import in " + paths.stream().map(Path::toString).collect(Collectors.joining(", "))
                            + (why.isEmpty() ? "" : ": " + why),
                    why.isEmpty() || why.contains(UNKNOWN)
                            ? "expected one of: " + Formats.words()
                            : "kiln import --help names the programs whose files Kiln reads");
        }
        return findings;
    }

    private static Optional<Format> format(
            Path file, Optional<CsvMapping> mapping, boolean named, FolderFiles findings) {
        Optional<Format> format;
        try {
            format = Formats.of(file, mapping);
        } catch (KilnException e) {
            findings.unknown(named, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
        Optional<String> old = format.filter(known -> known.content() == Format.PartOfRun.RECORDING)
                .flatMap(known -> oldRecording(file));
        if (old.isPresent()) {
            findings.unknown(named, file + " " + old.get());
            return Optional.empty();
        }
        Optional<String> doubt = format.filter(known -> !named && known.equals(SeriesCsv.FORMAT))
                .flatMap(known -> SeriesCsv.doubt(file));
        if (doubt.isPresent()) {
            findings.unknown(false, doubt.get());
            return Optional.empty();
        }
        if (format.isPresent()) {
            return format;
        }
        Optional<String> other = mapping.isPresent() ? Optional.empty() : OtherForms.of(file);
        Optional<String> unpacker = other.isPresent() ? Optional.empty() : unpacker(file);
        if (unpacker.isPresent()) {
            findings.unknown(named, file + " is compressed: unpack it with " + unpacker.get());
        } else if (Lines.isUtf16(begin(file, 4))) {
            findings.unknown(named, file + " is UTF-16 text: convert it with iconv -f UTF-16 -t UTF-8");
        } else if (other.isPresent()) {
            (named ? findings.missed() : findings.asides()).add(file + " " + other.get());
        } else if (named) {
            findings.unknown(true, file + why(file, mapping));
        }
        return Optional.empty();
    }

    /** Says what is wrong with a recording whose layout the JDK's reader does not know: it knows those of version 2. */
    private static Optional<String> oldRecording(Path file) {
        byte[] head = begin(file, 8);
        int major = head.length < 8 ? 2 : twoBytes(head, 4);
        return major >= 2
                ? Optional.empty()
                : Optional.of("is a flight recording of version " + major + "." + twoBytes(head, 6)
                        + ", as JDKs before 11 wrote it; record with JDK 11 or later");
    }

    private static int twoBytes(byte[] head, int at) {
        return ((head[at] & 0xff) << Byte.SIZE) + (head[at + 1] & 0xff);
    }

    private static byte[] begin(Path file, int bytes) {
        try (InputStream in = InputFile.followed(file)) {
            return in.readNBytes(bytes);
        } catch (IOException e) {
            throw Lines.unreadable(file.toString(), e);
        }
    }

    /** Names the program that unpacks the file; empty for one that is not compressed. */
    private static Optional<String> unpacker(Path file) {
        String head = new String(begin(file, 8), StandardCharsets.ISO_8859_1);
        return UNPACKERS.entrySet().stream()
                .filter(packed -> head.startsWith(packed.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private static String why(Path file, Optional<CsvMapping> mapping) {
        Format.Head head = Format.Head.of(file);
        String first = head.header();
        if (mapping.isPresent() && CsvLine.header(first).size() > 1) {
            return " has no column " + String.join(", ", mapping.get().missing(first)) + ", which --map names";
        }
        boolean table = CsvLine.header(first).size() > 1 && first.codePoints().anyMatch(Character::isLetter);
        return head.bytes().length == 0
                ? " is empty"
                : UNKNOWN + (table ? "; if it is a table of a load, name its columns with --map" : "");
    }

    /** Tells whether a folder has Kiln's own evidence, which is not imported. */
    private static boolean isEvidence(Path directory) {
        return Files.isRegularFile(directory.resolve("run.json")) && Files.exists(directory.resolve("load.csv"));
    }

    private static void refuseEvidence(Path root) {
        Path directory = Files.isDirectory(root) ? root : root.getParent();
        if (directory != null && isEvidence(directory)) {
            throw KilnException.usage(
                    directory + " is evidence that Kiln recorded: there is nothing to import",
                    "read it with kiln report, kiln explain or kiln compare");
        }
    }

    private static List<Path> files(Path root, FolderFiles findings) {
        if (!Files.isDirectory(root)) {
            if (!Files.isRegularFile(root)) {
                throw KilnException.usage(
                        "Kiln must read " + root + " twice, and cannot (a pipe?)", "write its content to a file first");
            }
            return List.of(root);
        }
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(root, EnumSet.of(FileVisitOption.FOLLOW_LINKS), DEPTH, new Visitor(files, findings));
        } catch (IOException e) {
            throw Lines.unreadable(root.toString(), e);
        }
        if (files.size() > MOST_FILES) {
            throw KilnException.usage(
                    root + " holds more than " + MOST_FILES + " files", "name the folders of the runs");
        }
        files.sort(Comparator.comparing(Path::toString));
        return files;
    }

    /** A Visitor collects a tree's files; it remarks on unreadable ones, and follows no link up. */
    private static final class Visitor extends SimpleFileVisitor<Path> {
        private final List<Path> files;
        private final FolderFiles findings;

        Visitor(List<Path> files, FolderFiles findings) {
            this.files = files;
            this.findings = findings;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            return isEvidence(directory) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile() && !file.getFileName().toString().startsWith(".")) {
                files.add(file);
            }
            return files.size() > MOST_FILES ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            if (!(e instanceof FileSystemLoopException)) {
                findings.remarks().add("cannot read " + file + ": " + IoReason.of(e));
            }
            return FileVisitResult.CONTINUE;
        }
    }

    private static List<String> place(Path root, Path file) {
        List<String> place = new ArrayList<>();
        Path name = root.getFileName();
        if (name != null) {
            place.add(name.toString());
        }
        if (!root.equals(file)) {
            root.relativize(file).forEach(part -> place.add(part.toString()));
        }
        return place;
    }
}
