package dev.kiln.importer;

import dev.kiln.importer.LabFolder.FoundFile;
import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Format.ImportOptions;
import dev.kiln.importer.format.Format.ImportedRun;
import dev.kiln.importer.format.Format.ImportedRun.ImportedFacts;
import dev.kiln.importer.format.Format.PartOfRun;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.SystemLog;
import dev.kiln.importer.hyperfoil.HyperfoilJson;
import dev.kiln.importer.hyperfoil.HyperfoilRun;
import dev.kiln.importer.hyperfoil.HyperfoilTotals;
import dev.kiln.importer.hyperfoil.HyperfoilTotals.HyperfoilTotal;
import dev.kiln.importer.program.LabMetrics;
import dev.kiln.model.KilnException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** RunGroups sorts files into runs: which belong together, and what each is. */
final class RunGroups {
    private final ImportOptions options;
    private final List<String> leftOut = new ArrayList<>();
    private final List<Failure> failures = new ArrayList<>();
    private final List<String> doubts = new ArrayList<>();

    /** A Failure is a run, by variant and number, or a file of several, that cannot be read. */
    record Failure(String run, KilnException why) {
        String words() {
            return run.isEmpty() ? String.valueOf(why.getMessage()) : run + ": " + why.getMessage();
        }
    }

    RunGroups(ImportOptions options) {
        this.options = options;
    }

    /** Returns the files that were left out, with the reasons. */
    List<String> leftOut() {
        return leftOut;
    }

    /** Returns the runs that cannot be imported because their files are damaged, with the reasons. */
    List<Failure> failures() {
        return failures;
    }

    /** Returns what is not certain of the names of variants and runs. */
    List<String> doubts() {
        return doubts;
    }

    /** @param fallback name of a run that no path names */
    List<ImportedRun> of(List<FoundFile> found, String fallback) {
        List<ImportedRun> runs = new ArrayList<>(wholeRuns(found));
        Map<RunPlace, List<FoundFile>> groups = groups(found, fallback);
        boolean fromZero =
                groups.keySet().stream().anyMatch(place -> place.told().number().orElse(1) == 0);
        Optional<LabMetrics> metrics = metrics(found);
        Map<String, Set<Integer>> taken = new HashMap<>();
        groups.keySet()
                .forEach(place -> place.told()
                        .number()
                        .ifPresent(told -> taken.computeIfAbsent(variant(place, fallback), name -> new HashSet<>())
                                .add(told + (fromZero ? 1 : 0))));
        groups.forEach((place, files) -> {
            String named = place.told().variant().orElse(fallback);
            String variant = variant(place, fallback);
            // Runs count from 1; a lab may count from 0. Those that are told apart by their times are counted in their
            // order.
            int number = place.told().number().isPresent()
                    ? place.told().number().getAsInt() + (fromZero ? 1 : 0)
                    : free(taken.computeIfAbsent(variant, name -> new HashSet<>()));
            ImportedFacts facts = place.told().number().isEmpty()
                    ? ImportedFacts.NONE
                    : metrics.flatMap(m -> m.facts(named, number - 1)).orElse(ImportedFacts.NONE);
            sound(variant + " " + number, () -> runs.add(run(variant, number, files, facts)));
        });
        return runs;
    }

    /** Reads files of whole runs. Where two files have the same ones, as of two JDKs, their names stand before those of the runs. */
    private List<ImportedRun> wholeRuns(List<FoundFile> found) {
        Map<FoundFile, List<ImportedRun>> files = new LinkedHashMap<>();
        for (FoundFile file : found) {
            if (file.format().content() instanceof Format.WholeRuns whole) {
                sound("", () -> files.put(file, whole.of().apply(file.file(), leftOut::add)));
            }
        }
        List<String> names = files.values().stream()
                .flatMap(runs -> runs.stream()
                        .map(run -> run.variant() + "/" + run.run())
                        .distinct())
                .toList();
        Set<Path> paths = files.keySet().stream().map(FoundFile::file).collect(Collectors.toSet());
        boolean alike = paths.size() == files.size()
                && names.stream().distinct().count() < names.size()
                && files.keySet().stream().map(FoundFile::format).distinct().count() == 1;
        Map<Path, String> told = alike && paths.size() > 1 ? RunNames.distinct(paths) : Map.of();
        return files.entrySet().stream()
                .flatMap(file -> file.getValue().stream()
                        .map(run -> Optional.ofNullable(told.get(file.getKey().file()))
                                .map(name -> run.below(LoadSource.stem(name)))
                                .orElse(run)))
                .toList();
    }

    private String variant(RunPlace place, String fallback) {
        return options.variant().orElse(place.told().variant().orElse(fallback));
    }

    /** Takes the lowest number that no run of the variant has. */
    private static int free(Set<Integer> taken) {
        int number = 1;
        while (!taken.add(number)) {
            number++;
        }
        return number;
    }

    /** Reads a run and notes a failure, so that a damaged run does not stop the import of the others. */
    private void sound(String run, Runnable reading) {
        try {
            reading.run();
        } catch (KilnException e) {
            failures.add(new Failure(run, e));
        }
    }

    private Map<RunPlace, List<FoundFile>> groups(List<FoundFile> found, String fallback) {
        Map<RunPlace, List<FoundFile>> groups = new LinkedHashMap<>();
        List<FoundFile> loads = found.stream().filter(RunGroups::isLoad).toList();
        List<FoundFile> beside = found.stream()
                .filter(file -> file.format().beside() && file.format().content() != PartOfRun.FACTS)
                .toList();
        Map<FoundFile, RunPlace> alike = RunNames.alike(loads);
        RunNumbers numbers = new RunNumbers(Stream.concat(
                (loads.isEmpty() ? beside : loads).stream().flatMap(file -> RunNames.named(file).stream()),
                alike.values().stream()));
        // With a name for all of them they are runs of one variant.
        if (options.variant().isEmpty()) {
            doubts.addAll(numbers.doubts());
            doubts.addAll(RunNames.doubts(alike, numbers));
        }
        RunNames.of(loads, fallback, numbers, alike)
                .forEach((load, place) ->
                        groups.computeIfAbsent(place, n -> new ArrayList<>()).add(load));
        Set<RunPlace> withLoad = Set.copyOf(groups.keySet());
        for (FoundFile file : beside) {
            Optional<RunPlace> run = RunNames.belongsTo(file, withLoad);
            if (run.isEmpty() && withLoad.size() <= 1) {
                run = Optional.of(
                        withLoad.stream().findFirst().orElseGet(() -> RunNames.place(file, fallback, numbers)));
            }
            if (run.isPresent()) {
                groups.computeIfAbsent(run.get(), n -> new ArrayList<>()).add(file);
            } else {
                leftOut.add(file.file() + ": its path has the name of no run");
            }
        }
        return groups;
    }

    private static boolean isLoad(FoundFile file) {
        return !file.format().beside() && !(file.format().content() instanceof Format.WholeRuns);
    }

    private Optional<LabMetrics> metrics(List<FoundFile> found) {
        Optional<FoundFile> first = found.stream()
                .filter(file -> file.format().content() == PartOfRun.FACTS)
                .findFirst();
        try {
            return first.map(file -> LabMetrics.read(file.file()));
        } catch (KilnException e) {
            leftOut.add(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private ImportedRun run(String variant, int number, List<FoundFile> files, ImportedFacts facts) {
        List<LoadSource> loads = new ArrayList<>(hyperfoil(files));
        List<SystemLog> logs = new ArrayList<>();
        List<Path> recordings = new ArrayList<>();
        for (FoundFile file : files) {
            switch (file.format().content()) {
                case Format.Loads some -> addAll(loads, some.of().apply(file.file(), options), file, Format.NO_RECORD);
                case Format.OneLog log ->
                    addAll(
                            logs,
                            log.of().apply(file.file(), options).stream().toList(),
                            file,
                            log.without().apply(file.file()));
                case PartOfRun part -> {
                    if (part == PartOfRun.RECORDING) {
                        recordings.add(file.file());
                    }
                }
                case Format.WholeRuns whole -> {}
            }
        }
        return new ImportedRun(variant, number, loads, oneOfEach(variant, number, logs), recordings, facts);
    }

    /** Counters of the same CPUs or threads from two logs would be added to one another. */
    private List<SystemLog> oneOfEach(String variant, int number, List<SystemLog> logs) {
        List<SystemLog> threads = logs.stream().filter(SystemLog::threads).toList();
        if (threads.size() > 1) {
            throw KilnException.usage(
                    "run " + variant + " " + number + " has " + threads.size() + " logs of threads",
                    "import only the log of the target");
        }
        List<SystemLog> collections = logs.stream()
                .filter(log -> log.content() == SystemLog.LogContent.COLLECTIONS)
                .toList();
        if (collections.size() > 1) {
            throw KilnException.usage(
                    "run " + variant + " " + number + " has " + collections.size() + " logs of a collector",
                    "import only the log of the target, whole");
        }
        List<SystemLog> cpus = logs.stream()
                .filter(log -> !log.threads() && log.content() != SystemLog.LogContent.COLLECTIONS)
                .sorted(Comparator.comparing(SystemLog::content))
                .toList();
        if (cpus.size() > 1) {
            leftOut.add(cpus.stream().skip(1).map(SystemLog::what).collect(Collectors.joining(", ")) + " of run "
                    + variant + " " + number + ": " + cpus.getFirst().what() + " has the same CPUs");
        }
        return Stream.of(threads.stream(), cpus.stream().limit(1), collections.stream())
                .flatMap(some -> some)
                .toList();
    }

    private <T> void addAll(List<T> sources, List<? extends T> found, FoundFile file, String without) {
        if (found.isEmpty()) {
            leftOut.add(file.file() + ": " + without);
        }
        sources.addAll(found);
    }

    /** Series say more than {@code all.json}, which is read only in their place. */
    private static List<LoadSource> hyperfoil(List<FoundFile> files) {
        List<Path> series = of(files, PartOfRun.HYPERFOIL_SERIES);
        List<HyperfoilTotal> totals = new ArrayList<>();
        for (Path file : of(files, PartOfRun.HYPERFOIL_TOTALS)) {
            try (Lines lines = Lines.of(file)) {
                totals.addAll(HyperfoilTotals.parse(lines));
            }
        }
        Optional<LoadSource> run = HyperfoilRun.of(series, totals);
        if (run.isPresent()) {
            return List.of(run.get());
        }
        return of(files, PartOfRun.HYPERFOIL_DOCUMENT).stream()
                .map(HyperfoilJson::of)
                .toList();
    }

    private static List<Path> of(List<FoundFile> files, PartOfRun part) {
        return files.stream()
                .filter(file -> file.format().content() == part)
                .map(FoundFile::file)
                .toList();
    }
}
