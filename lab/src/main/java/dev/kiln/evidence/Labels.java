package dev.kiln.evidence;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.KilnException.IoReason;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a job that runs an experiment may put beside its results: {@code labels.properties}. */
public final class Labels {
    private static final String NAME = "labels.properties";

    private Labels() {}

    /** Those in the folder of an experiment; none if there is no file. */
    public static SortedMap<String, String> of(Path experiment) {
        SortedMap<String, String> all = new TreeMap<>();
        Path file = experiment.resolve(NAME);
        if (Files.exists(file)) {
            Properties properties = new Properties();
            try (Reader reader = Files.newBufferedReader(file)) {
                properties.load(reader);
            } catch (IOException e) {
                throw new KilnException(Exit.USAGE, "cannot read " + file + ": " + IoReason.of(e), "remove it", e);
            } catch (IllegalArgumentException e) {
                throw new KilnException(
                        Exit.USAGE, file + ": " + e.getMessage(), "write one key=value on each line", e);
            }
            properties.stringPropertyNames().forEach(key -> all.put(key, properties.getProperty(key)));
        }
        return all;
    }
}
