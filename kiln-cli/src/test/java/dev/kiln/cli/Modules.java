package dev.kiln.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The Maven modules of this repository, in the order of their arrows, as its POM has them. */
final class Modules {
    private static final Path ROOT = Path.of("..");
    private static final Pattern MODULE = Pattern.compile("<module>(.*?)</module>");

    private Modules() {}

    static List<String> names() throws IOException {
        return MODULE.matcher(Files.readString(ROOT.resolve("pom.xml")))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    /** A folder that each of some modules has, such as src/test/java. */
    static List<Path> folders(String within) throws IOException {
        return names().stream()
                .map(module -> ROOT.resolve(module).resolve(within))
                .filter(Files::isDirectory)
                .toList();
    }

    static List<Path> files(String within) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path folder : folders(within)) {
            try (Stream<Path> walk = Files.walk(folder)) {
                walk.filter(Files::isRegularFile).forEach(files::add);
            }
        }
        return files;
    }
}
