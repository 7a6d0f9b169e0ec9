package dev.kiln.importer.program;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Format.ImportedRun.ImportedFacts;
import dev.kiln.importer.format.Json;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;

/**
 * LabMetrics reads a lab's own {@code metrics.json}: under {@code results}, by variant, lists with a figure for each run:
 * {@code startup.timings} (ms to the first answer), {@code load.rss} (MiB) and {@code load.throughput} (req/s).
 */
public record LabMetrics(JsonNode results) {
    public static final Format FORMAT = new Format(
            "a lab's metrics.json", head -> head.json("\"results\":{", "\"timings\":["), Format.PartOfRun.FACTS);

    private static final double MIB = 1 << 20;

    public static LabMetrics read(Path file) {
        return new LabMetrics(Json.read(file).path("results"));
    }

    /** @param index of the run, from 0 */
    public Optional<ImportedFacts> facts(String variant, int index) {
        JsonNode of = results.path(variant);
        if (!of.isObject() || index < 0) {
            return Optional.empty();
        }
        OptionalDouble start = figure(of.path("startup").path("timings"), index);
        OptionalDouble rss = figure(of.path("load").path("rss"), index);
        return Optional.of(new ImportedFacts(
                start.isPresent() ? OptionalDouble.of(start.getAsDouble() / 1e3) : start,
                rss.isPresent() ? OptionalLong.of(Math.round(rss.getAsDouble() * MIB)) : OptionalLong.empty(),
                figure(of.path("load").path("throughput"), index)));
    }

    private static OptionalDouble figure(JsonNode list, int index) {
        double value = list.path(index).asDouble(Double.NaN);
        return value > 0 && value < 1e12 ? OptionalDouble.of(value) : OptionalDouble.empty();
    }
}
