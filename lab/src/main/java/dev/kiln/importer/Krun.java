package dev.kiln.importer;

import dev.kiln.importer.ImportedRun.Facts;
import dev.kiln.importer.IterationLoad.Iteration;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * krun's results: {@code wallclock_times} holds for each {@code benchmark:vm:variant} the process executions, and for each of
 * these the seconds that every in-process iteration took.
 */
final class Krun {
    private static final double LONGEST_SECONDS = 1e6;

    private Krun() {}

    static List<ImportedRun> runs(Path file) {
        return parse(file, Json.read(file));
    }

    static List<ImportedRun> parse(Path file, JsonNode root) {
        JsonNode all = root.path("wallclock_times");
        if (!all.isObject()) {
            throw wrong(file, "no wallclock_times");
        }
        List<ImportedRun> runs = new ArrayList<>();
        for (Map.Entry<String, JsonNode> benchmark : all.properties()) {
            int number = 0;
            for (JsonNode execution : benchmark.getValue()) {
                number++;
                List<Iteration> iterations = iterations(file, benchmark.getKey(), execution);
                // An execution that crashed is an empty list.
                if (!iterations.isEmpty()) {
                    runs.add(new ImportedRun(
                            benchmark.getKey().replaceAll("[^A-Za-z0-9._=+-]", "_"),
                            number,
                            List.of(IterationLoad.of("krun", iterations)),
                            List.of(),
                            List.of(),
                            Facts.NONE));
                }
            }
        }
        return runs;
    }

    private static List<Iteration> iterations(Path file, String benchmark, JsonNode execution) {
        List<Iteration> iterations = new ArrayList<>();
        for (JsonNode seconds : execution) {
            double value = seconds.asDouble(Double.NaN);
            if (!(value > 0) || value > LONGEST_SECONDS) {
                throw wrong(file, "an iteration of " + seconds + " s in " + benchmark);
            }
            iterations.add(new Iteration(Math.max(1, Math.round(value * 1e9)), 1));
        }
        return iterations;
    }

    private static KilnException wrong(Path file, String found) {
        return new KilnException(
                Exit.USAGE, file + ": found " + found + ", expected krun's results", "leave them as krun wrote them");
    }
}
