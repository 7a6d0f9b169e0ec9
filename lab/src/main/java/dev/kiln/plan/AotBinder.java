package dev.kiln.plan;

import dev.kiln.model.AotCache;
import dev.kiln.text.Nearest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@code aot:}, how the cache is trained, or the file that it is. */
final class AotBinder {
    private static final String EXPECTED =
            "a map such as {train: startup}, {train: traffic, for: 20s} or {file: app.aot}";
    private static final String STARTUP = "startup";
    private static final String TRAFFIC = "traffic";

    /** Enough for the compilers to see what is hot; the published study trained with requests for a time it does not tell. */
    private static final Duration FOR = Duration.ofSeconds(20);

    private AotBinder() {}

    static Optional<AotCache> bind(Node node, Path base, Problems problems) {
        return Fields.of(node, Section.AOT, EXPECTED, problems).flatMap(fields -> bind(fields, base, problems));
    }

    private static Optional<AotCache> bind(Fields fields, Path base, Problems problems) {
        if (fields.has("train") == fields.has("file")) {
            String found = fields.has("train") ? "train and file" : "neither train nor file";
            problems.add(fields.at(), "aot: found " + found + ", expected one of them");
            return Optional.empty();
        }
        if (fields.has("file")) {
            if (fields.has("for")) {
                problems.add(fields.at("for"), "aot: found for beside file, expected it with 'train: traffic'");
            }
            return fields.parsed("file", "a path", text -> new AotCache.Given(file(text, base)));
        }
        Optional<String> train = fields.parsed("train", "startup or traffic", AotBinder::train);
        Duration time =
                fields.parsed("for", DurationText.EXPECTED, DurationText::parse).orElse(FOR);
        if (train.filter(STARTUP::equals).isPresent() && fields.has("for")) {
            problems.add(fields.at("for"), "aot: found for beside 'train: startup', expected it with 'train: traffic'");
        }
        return train.map(how -> how.equals(STARTUP) ? new AotCache.Startup() : new AotCache.Traffic(time));
    }

    private static String train(String text) {
        if (!text.equals(STARTUP) && !text.equals(TRAFFIC)) {
            throw new BadValue(Nearest.complaint("training", text, List.of(STARTUP, TRAFFIC)));
        }
        return text;
    }

    private static Path file(String text, Path base) {
        Path file = CommandPaths.existing(text, base, "no such file");
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw BadValue.of(file + ", which cannot be read", "an AOT cache");
        }
        return file;
    }
}
