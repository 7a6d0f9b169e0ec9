package dev.kiln.results;

import dev.kiln.compare.Configuration;
import dev.kiln.compare.EarlierSessions;
import dev.kiln.compare.VariantRuns;
import dev.kiln.console.Console;
import dev.kiln.evidence.ExperimentReader;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.Assessment.Yardstick;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.KilnException;
import dev.kiln.report.Launches;
import dev.kiln.results.Reporting.Recordings;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.study.Experiments;
import dev.kiln.study.PastExperiments;
import dev.kiln.text.Nearest;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Subjects reads what {@code compare} and {@code gate} are given: folders, variants in them, and tables. */
public final class Subjects {
    private final AnalysisConfig config;
    private final PrintWriter err;
    /** The configurations read from each argument are kept, for a pipe can be read only once. */
    private final Map<String, List<Configuration>> read = new HashMap<>();

    private final Map<Path, Assessed> assessed = new HashMap<>();
    private Optional<Yardstick> common = Optional.empty();

    public Subjects(AnalysisConfig config, PrintWriter err) {
        this.config = config;
        this.err = err;
    }

    /** Returns all configurations of all arguments; with several arguments, each must name one. */
    public List<Configuration> all(List<String> arguments) {
        if (arguments.size() == 1) {
            return readable(of(arguments.getFirst()), arguments.getFirst());
        }
        List<Configuration> found = arguments.stream().map(this::one).toList();
        List<String> names = found.stream().map(Configuration::name).toList();
        List<String> places = places(arguments);
        List<Configuration> out = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            boolean shared = Collections.frequency(names, names.get(i)) > 1;
            out.add(shared ? in(places.get(i), found.get(i)) : found.get(i));
        }
        return out;
    }

    /** Returns the configuration with its place behind its name: others have the same name. */
    private static Configuration in(String place, Configuration one) {
        return one.named(one.name() + " (" + place + ")");
    }

    /** Returns the folders or files that the arguments are in: the last part of each path where that tells them apart. */
    private static List<String> places(List<String> arguments) {
        List<Path> paths = arguments.stream()
                .map(argument -> NamedSubject.of(argument).path)
                .toList();
        List<String> ends = paths.stream()
                .map(path -> String.valueOf(path.toAbsolutePath().normalize().getFileName()))
                .toList();
        return ends.stream().distinct().count() == ends.size()
                ? ends
                : paths.stream().map(Path::toString).toList();
    }

    /**
     * Returns pairs of variants that have the same name in two folders of several variants; empty for other arguments.
     *
     * @throws KilnException if no name is in both
     */
    public List<List<Configuration>> byName(List<String> arguments) {
        if (arguments.size() != 2
                || arguments.stream().anyMatch(argument -> of(argument).size() < 2)) {
            return List.of();
        }
        String first = arguments.get(0);
        String second = arguments.get(1);
        Map<String, Configuration> theirs = new LinkedHashMap<>();
        readable(of(second), second).forEach(one -> theirs.put(one.name(), one));
        List<String> places = places(arguments);
        List<List<Configuration>> pairs = new ArrayList<>();
        for (Configuration mine : readable(of(first), first)) {
            Optional.ofNullable(theirs.remove(mine.name()))
                    .ifPresentOrElse(
                            other -> pairs.add(pair(first + ":" + mine.name(), second + ":" + other.name(), places)),
                            () -> err.println("kiln: left out: " + mine.name() + " is only in " + first));
        }
        theirs.keySet().forEach(name -> err.println("kiln: left out: " + name + " is only in " + second));
        if (pairs.isEmpty()) {
            throw KilnException.usage(
                    first + " and " + second + " have no variant of the same name",
                    "name one of each: " + first + ":VARIANT " + second + ":VARIANT");
        }
        return pairs;
    }

    /** Returns the two variants of one name, held against the higher peak of these two. */
    private List<Configuration> pair(String first, String second, List<String> places) {
        together(List.of(first, second));
        return List.of(in(places.getFirst(), one(first)), in(places.getLast(), one(second)));
    }

    /**
     * Returns earlier sessions of a configuration: all experiments in a folder, or a table with a column {@code
     * session}.
     *
     * @param sides that they are to say something of
     * @throws KilnException if none of them does
     */
    public EarlierSessions earlier(String argument, List<Configuration> sides) {
        Path path = Path.of(argument);
        List<Configuration> found = new ArrayList<>();
        if (Files.isDirectory(path)) {
            for (Path experiment : PastExperiments.experiments(path)) {
                try {
                    found.addAll(variants(experiment));
                } catch (KilnException e) {
                    err.println("kiln: left out: " + e.getMessage());
                }
            }
        } else {
            found.addAll(TableConfigurations.sessions(argument));
        }
        EarlierSessions all = new EarlierSessions(found);
        EarlierSessions earlier = all.of(sides);
        if (earlier.all().isEmpty()) {
            throw KilnException.usage(
                    "--sessions " + argument + ": no earlier session of "
                            + sides.stream()
                                    .map(side -> side.origin().variant())
                                    .distinct()
                                    .collect(Collectors.joining(" or "))
                            + " under the same protocol, load and host",
                    "it has "
                            + (found.isEmpty()
                                    ? "none"
                                    : found.stream()
                                            .map(one -> one.origin().variant())
                                            .distinct()
                                            .collect(Collectors.joining(", "))));
        }
        return earlier;
    }

    /** Returns the one configuration that an argument names. */
    public Configuration one(String argument) {
        List<Configuration> found = of(argument);
        if (found.size() > 1) {
            List<String> names =
                    found.stream().map(c -> argument + ":" + c.name()).toList();
            throw KilnException.usage(argument + " has several variants", "name one: " + String.join(", ", names));
        }
        return readable(found, argument).getFirst();
    }

    /** Leaves out variants without a valid run, which have nothing to compare. */
    private List<Configuration> readable(List<Configuration> found, String argument) {
        List<Configuration> out =
                found.stream().filter(one -> !one.metrics().isEmpty()).toList();
        if (out.isEmpty()) {
            throw KilnException.problem(argument + ": no run is valid, so there is nothing to compare", why(found));
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
            throw KilnException.usage(
                    "no such folder or file: " + argument,
                    "name an experiment's folder, folder:variant, or a table (.csv, .json)");
        }
        String wanted = argument.substring(colon + 1);
        List<Configuration> variants = read(argument.substring(0, colon));
        return variants.stream()
                .filter(variant -> variant.name().equals(wanted))
                .findFirst()
                .map(List::of)
                .orElseThrow(() -> KilnException.usage(
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
        boolean folder = Files.isDirectory(path);
        String place = folder ? path.toAbsolutePath().normalize().toString() : argument;
        List<Configuration> known = read.get(place);
        if (known == null) {
            known = folder ? variants(path) : TableConfigurations.of(argument);
            read.put(place, known);
        }
        return known;
    }

    private List<Configuration> variants(Path path) {
        Assessed folder = assessed(path);
        return folder.result.variants().stream()
                .map(variant -> common.filter(peak -> folder.result.sweep().isEmpty())
                        .map(peak -> peak.hold(variant.alone(), folder.result.config()))
                        .orElse(variant))
                .map(variant -> VariantRuns.of(folder.result, variant, folder.place))
                .toList();
    }

    /** An Assessed is an experiment's result, together with the place and the runs that it was read from. */
    private record Assessed(ExperimentResult result, String place, ExperimentReader.ExperimentRuns runs) {}

    /** Returns the JDKs of the variants of a folder, a line each; none of a table, and where no JVM was seen. */
    List<String> jdks(String argument) {
        Optional<Assessed> known = Optional.ofNullable(
                assessed.get(NamedSubject.of(argument).path.toAbsolutePath().normalize()));
        return known.map(folder -> Launches.jdks(folder.result)).orElse(List.of());
    }

    private Assessed assessed(Path path) {
        return assessed.computeIfAbsent(path.toAbsolutePath().normalize(), folder -> {
            Path experiment = Experiments.newest(path);
            Recordings.complete(experiment);
            return new Assessed(
                    Experiments.assess(experiment, config, Console.leftOut(err)),
                    real(experiment),
                    ExperimentReader.find(experiment));
        });
    }

    /** Returns the real path of a folder, so that it has one name, whichever link leads to it. */
    private static String real(Path folder) {
        try {
            return folder.toRealPath().toString();
        } catch (IOException e) {
            return folder.toAbsolutePath().normalize().toString();
        }
    }

    /** Prints each run that is missing from the figures of these arguments; returns false if there is one. */
    public boolean whole(List<String> arguments) {
        boolean whole = true;
        for (String argument : arguments) {
            NamedSubject named = NamedSubject.of(argument);
            if (named.isFolder()) {
                Assessed folder = assessed(named.path);
                List<String> leftOut = Experiments.leftOut(
                        folder.runs.directories(),
                        folder.result.variants().stream().filter(named::has).toList());
                leftOut.forEach(Console.leftOut(err));
                whole &= leftOut.isEmpty() && folder.runs.unreadable().isEmpty();
            }
        }
        return whole;
    }

    /** A NamedSubject is what an argument names: a folder or file, or one variant of the folder. */
    private record NamedSubject(Path path, Optional<String> variant) {
        static NamedSubject of(String argument) {
            int colon = argument.lastIndexOf(':');
            return argument.equals("-") || Files.exists(Path.of(argument)) || colon < 1
                    ? new NamedSubject(Path.of(argument), Optional.empty())
                    : new NamedSubject(
                            Path.of(argument.substring(0, colon)), Optional.of(argument.substring(colon + 1)));
        }

        boolean isFolder() {
            return Files.isDirectory(path);
        }

        boolean has(VariantResult one) {
            return variant.isEmpty() || variant.get().equals(one.name());
        }
    }

    /** Holds the configurations of several folders against the highest peak among them. */
    public Subjects together(List<String> arguments) {
        List<VariantResult> named = new ArrayList<>();
        for (String argument : arguments) {
            NamedSubject one = NamedSubject.of(argument);
            if (one.isFolder()) {
                assessed(one.path).result.variants().stream().filter(one::has).forEach(named::add);
            }
        }
        common = Yardstick.of(named);
        // A table has no peak, and may be a pipe.
        assessed.keySet().forEach(folder -> read.remove(folder.toString()));
        return this;
    }
}
