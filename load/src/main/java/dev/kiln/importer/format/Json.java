package dev.kiln.importer.format;

import dev.kiln.files.InputFile;
import dev.kiln.model.KilnException;
import dev.kiln.text.Source;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Json reads JSON documents that are small enough for the memory. */
public final class Json {
    public static final JsonMapper MAPPER = JsonMapper.builder().build();

    /** Documents of totals and iterations are far smaller; a tree of one takes about ten times its text. */
    private static final long MOST_BYTES =
            Math.min(256L << 20, Math.max(1L << 20, Runtime.getRuntime().maxMemory() / 16));

    private Json() {}

    /** Reads a file that is one document. */
    public static JsonNode read(Path file) {
        List<JsonNode> documents = documents(file);
        if (documents.size() != 1) {
            throw KilnException.usage(
                    file + ": found " + documents.size() + " JSON documents, expected one",
                    "give each of them a file of its own");
        }
        return documents.getFirst();
    }

    /** Reads the documents of a file one after the other, and those of a list: there may be one of each test. */
    public static List<JsonNode> all(Path file) {
        List<JsonNode> all = new ArrayList<>();
        for (JsonNode document : documents(file)) {
            if (document.isArray()) {
                document.forEach(all::add);
            } else {
                all.add(document);
            }
        }
        return all;
    }

    private static List<JsonNode> documents(Path file) {
        try (InputStream in = InputFile.followed(file)) {
            byte[] bytes = in.readNBytes((int) MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw KilnException.usage(
                        file + " has more than " + (MOST_BYTES >> 20) + " MiB of JSON",
                        "import the files that it was made from");
            }
            return documents(bytes);
        } catch (IOException e) {
            throw Lines.unreadable(file.toString(), e);
        } catch (JacksonException e) {
            throw broken(file, e);
        }
    }

    private static List<JsonNode> documents(byte[] bytes) {
        List<JsonNode> documents = new ArrayList<>();
        try (JsonParser json = MAPPER.createParser(bytes)) {
            while (json.nextToken() != null) {
                documents.add(json.readValueAsTree());
            }
        }
        return documents;
    }

    public static KilnException broken(Path file, JacksonException e) {
        int line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
        return KilnException.usage(
                file + ":" + line + ": not JSON: " + Source.reason(e), "restore the file as its program wrote it", e);
    }

    /** Returns a figure that must be there and must not be negative. */
    public static double number(Path file, JsonNode parent, String name) {
        JsonNode node = parent.path(name);
        if (!node.isNumber() || !Double.isFinite(node.asDouble()) || node.asDouble() < 0) {
            throw wrong(file, name, node);
        }
        return node.asDouble();
    }

    public static long count(Path file, JsonNode parent, String name) {
        double value = number(file, parent, name);
        if (value != Math.rint(value) || value > 1e15) {
            throw wrong(file, name, parent.path(name));
        }
        return (long) value;
    }

    private static KilnException wrong(Path file, String name, JsonNode node) {
        String found = node.isMissingNode() ? "nothing" : node.toString();
        return KilnException.usage(
                file + ": found " + (found.length() > 40 ? found.substring(0, 40) + "..." : found) + " for " + name
                        + ", expected a number that is not negative",
                "restore the file as its program wrote it");
    }
}
