package dev.kiln.cli;

import dev.kiln.compare.Configuration;
import dev.kiln.compare.VariantRuns;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.text.CsvTable;
import dev.kiln.text.JsonTable;
import dev.kiln.text.Nearest;
import dev.kiln.text.Source;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the arguments of {@code compare} and {@code gate} name: folders, variants in them, and tables. */
final class Subjects {
    private final AnalysisConfig config;
    private final PrintWriter err;
    private final Map<Path, List<Configuration>> read = new HashMap<>();

    Subjects(AnalysisConfig config, PrintWriter err) {
        this.config = config;
        this.err = err;
    }

    /** All configurations of all arguments; with several arguments, each must name one. */
    List<Configuration> all(List<String> arguments) {
        if (arguments.size() == 1) {
            return readable(of(arguments.getFirst()), arguments.getFirst());
        }
        List<Configuration> out = new ArrayList<>();
        for (String argument : arguments) {
            Configuration one = one(argument);
            boolean taken = out.stream().anyMatch(other -> other.name().equals(one.name()));
            out.add(taken ? one.named(argument) : one);
        }
        return out;
    }

    /** The one configuration that an argument names. */
    Configuration one(String argument) {
        List<Configuration> found = of(argument);
        if (found.size() > 1) {
            List<String> names =
                    found.stream().map(c -> argument + ":" + c.name()).toList();
            throw new KilnException(
                    Exit.USAGE, argument + " has several variants", "name one: " + String.join(", ", names));
        }
        return readable(found, argument).getFirst();
    }

    /** A variant of which no run is valid has nothing to compare. */
    private List<Configuration> readable(List<Configuration> found, String argument) {
        List<Configuration> out =
                found.stream().filter(one -> !one.metrics().isEmpty()).toList();
        if (out.isEmpty()) {
            throw new KilnException(
                    Exit.PROBLEM, argument + ": no run is valid, so there is nothing to compare", why(found));
        }
        found.stream()
                .filter(one -> one.metrics().isEmpty())
                .forEach(one -> err.println("kiln: left out: " + one.name() + " has no valid run"));
        return out;
    }

    private static String why(List<Configuration> found) {
        return String.join(
                "\n", found.stream().flatMap(one -> one.namedNotes().stream()).toList());
    }

    private List<Configuration> of(String argument) {
        if (argument.equals("-") || Files.exists(Path.of(argument))) {
            return read(argument);
        }
        int colon = argument.lastIndexOf(':');
        if (colon < 1 || !Files.exists(Path.of(argument.substring(0, colon)))) {
            throw new KilnException(
                    Exit.USAGE,
                    "no such folder or file: " + argument,
                    "name an experiment's folder, folder:variant, or a table (.csv, .json)");
        }
        String wanted = argument.substring(colon + 1);
        List<Configuration> variants = read(argument.substring(0, colon));
        return variants.stream()
                .filter(variant -> variant.name().equals(wanted))
                .findFirst()
                .map(List::of)
                .orElseThrow(() -> new KilnException(
                        Exit.USAGE,
                        argument + ": "
                                + Nearest.complaint(
                                        "variant",
                                        wanted,
                                        variants.stream()
                                                .map(Configuration::name)
                                                .toList()),
                        ""));
    }

    private List<Configuration> read(String argument) {
        Path path = Path.of(argument);
        if (!Files.isDirectory(path)) {
            Source source = Source.read(argument);
            String text = source.text().stripLeading();
            CsvTable table =
                    text.startsWith("[") || text.startsWith("{") ? JsonTable.parse(source) : CsvTable.parse(source);
            return TableConfigurations.of(table);
        }
        return read.computeIfAbsent(path.toAbsolutePath().normalize(), place -> variants(path));
    }

    private List<Configuration> variants(Path path) {
        Path experiment = Experiments.newest(path);
        ExperimentResult result = Experiments.assess(experiment, config, err);
        String place = experiment.toAbsolutePath().normalize().toString();
        return result.variants().stream()
                .map(variant -> VariantRuns.of(result, variant, place))
                .toList();
    }
}
