package dev.kiln.evidence;

import dev.kiln.files.InputFile;
import dev.kiln.model.KilnException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Labels are key and value pairs that a job may put beside the results of its experiment, in {@code labels.properties}.
 */
public final class Labels {
    private static final String NAME = "labels.properties";

    private Labels() {}

    /** Reads the labels in the folder of an experiment; there are none if there is no file. */
    public static SortedMap<String, String> of(Path experiment) {
        SortedMap<String, String> all = new TreeMap<>();
        Path file = experiment.resolve(NAME);
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            Properties properties = new Properties();
            try {
                properties.load(new StringReader(InputFile.text(file, InputFile.DOCUMENT)));
            } catch (IOException e) {
                throw KilnException.usage(e, "cannot read " + file, "remove it");
            } catch (IllegalArgumentException e) {
                throw KilnException.usage(file + ": " + e.getMessage(), "write one key=value on each line", e);
            }
            properties.stringPropertyNames().forEach(key -> all.put(key, properties.getProperty(key)));
        }
        return all;
    }
}
