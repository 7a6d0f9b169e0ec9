package dev.kiln.importer;

import dev.kiln.importer.HyperfoilTotals.Total;
import dev.kiln.importer.ImportedRun.Facts;
import dev.kiln.importer.LabFolder.Found;
import dev.kiln.importer.LabFolder.RunName;
import dev.kiln.model.KilnException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** From files to runs: which belong together, and what each is. */
final class RunGroups {
    private static final Set<Format> WHOLE_EXPERIMENTS = EnumSet.of(Format.JMH, Format.KRUN);
    private static final Set<Format> BESIDE = EnumSet.of(
            Format.PIDSTAT, Format.MPSTAT, Format.VMSTAT, Format.FLIGHT, Format.HYPERFOIL_TOTALS, Format.METRICS);

    private final ImportOptions options;
    private final List<String> leftOut = new ArrayList<>();
    private final List<KilnException> failures = new ArrayList<>();

    RunGroups(ImportOptions options) {
        this.options = options;
    }

    /** Files and why they were left out. */
    List<String> leftOut() {
        return leftOut;
    }

    /** Why runs cannot be imported whose files are damaged. */
    List<KilnException> failures() {
        return failures;
    }

    /** @param fallback name of a run that no path names */
    List<ImportedRun> of(List<Found> found, String fallback) {
        List<ImportedRun> runs = new ArrayList<>();
        for (Found file : found) {
            if (file.format() == Format.JMH) {
                sound(() -> runs.addAll(Jmh.runs(file.file())));
            } else if (file.format() == Format.KRUN) {
                sound(() -> runs.addAll(Krun.runs(file.file())));
            }
        }
        Map<String, List<Found>> groups = groups(found, fallback);
        boolean fromZero = groups.keySet().stream()
                .map(RunName::of)
                .flatMap(Optional::stream)
                .anyMatch(name -> name.number() == 0);
        Optional<LabMetrics> metrics = metrics(found);
        groups.forEach((name, files) -> {
            Optional<RunName> told = RunName.of(name);
            String variant = options.variant().orElse(told.map(RunName::variant).orElse(name));
            int number = told.map(RunName::number).orElse(0);
            Facts facts = told.flatMap(
                            run -> metrics.flatMap(m -> m.facts(run.variant(), fromZero ? number : number - 1)))
                    .orElse(Facts.NONE);
            // Runs count from 1; a lab may count from 0.
            sound(() -> runs.add(run(variant, told.isEmpty() || fromZero ? number + 1 : number, files, facts)));
        });
        return runs;
    }

    /** A damaged run must not take the others along. */
    private void sound(Runnable reading) {
        try {
            reading.run();
        } catch (KilnException e) {
            failures.add(e);
        }
    }

    private Map<String, List<Found>> groups(List<Found> found, String fallback) {
        TreeSet<String> names = new TreeSet<>();
        Map<String, List<Found>> groups = new LinkedHashMap<>();
        for (Found file : found) {
            if (isLoad(file)) {
                String name = LabFolder.runOf(file).orElse(fallback);
                names.add(name);
                groups.computeIfAbsent(name, n -> new ArrayList<>()).add(file);
            }
        }
        for (Found file : found) {
            if (BESIDE.contains(file.format()) && file.format() != Format.METRICS) {
                beside(file, names, groups, fallback);
            }
        }
        return groups;
    }

    private void beside(Found file, SortedSet<String> names, Map<String, List<Found>> groups, String fallback) {
        Optional<String> run = LabFolder.belongsTo(file, names);
        if (run.isEmpty() && names.size() <= 1) {
            run = Optional.of(names.isEmpty() ? LabFolder.runOf(file).orElse(fallback) : names.first());
        }
        if (run.isPresent()) {
            groups.computeIfAbsent(run.get(), n -> new ArrayList<>()).add(file);
        } else {
            leftOut.add(file.file() + ": no run's name stands on its path");
        }
    }

    private static boolean isLoad(Found file) {
        return !BESIDE.contains(file.format()) && !WHOLE_EXPERIMENTS.contains(file.format());
    }

    private Optional<LabMetrics> metrics(List<Found> found) {
        Optional<Found> first =
                found.stream().filter(file -> file.format() == Format.METRICS).findFirst();
        try {
            return first.map(file -> LabMetrics.read(file.file()));
        } catch (KilnException e) {
            leftOut.add(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private ImportedRun run(String variant, int number, List<Found> files, Facts facts) {
        List<LoadSource> loads = new ArrayList<>(hyperfoil(files));
        List<SystemLog> logs = new ArrayList<>();
        List<Path> recordings = new ArrayList<>();
        for (Found file : files) {
            switch (file.format()) {
                case PHASE_TABLE -> add(loads, PhaseTable.of(file.file()), file);
                case WRK -> loads.addAll(Wrk.of(file.file()));
                case H2LOAD_LOG -> add(loads, H2load.of(file.file()), file);
                case GATLING -> add(loads, GatlingLog.of(file.file()), file);
                case OHA_CSV -> add(loads, OhaCsv.of(file.file()), file);
                case OHA_JSON -> loads.add(Oha.of(file.file()));
                case K6_CSV -> add(loads, K6Csv.of(file.file()), file);
                case K6_JSON -> add(loads, K6Json.of(file.file()), file);
                case K6_SUMMARY -> loads.add(K6Summary.of(file.file()));
                case MAPPED_CSV -> add(loads, options.mapping().flatMap(m -> MappedCsv.of(file.file(), m)), file);
                case PIDSTAT -> add(logs, Pidstat.of(file.file(), options.process()), file);
                case MPSTAT -> add(logs, Mpstat.of(file.file()), file);
                case VMSTAT -> vmstat(logs, file);
                case FLIGHT -> recordings.add(file.file());
                case HYPERFOIL_SERIES, HYPERFOIL_TOTALS, HYPERFOIL_JSON, JMH, KRUN, METRICS -> {}
            }
        }
        return new ImportedRun(variant, number, loads, oneOfEach(variant, number, logs), recordings, facts);
    }

    /** Counters of the same CPUs or threads from two logs would be added to one another. */
    private List<SystemLog> oneOfEach(String variant, int number, List<SystemLog> logs) {
        List<SystemLog> threads = logs.stream().filter(SystemLog::threads).toList();
        if (threads.size() > 1) {
            throw new KilnException(
                    KilnException.Exit.USAGE,
                    "run " + variant + " " + number + " has " + threads.size() + " logs of threads",
                    "import it with the one of the target, and leave the others aside");
        }
        List<SystemLog> cpus = logs.stream()
                .filter(log -> !log.threads())
                .sorted(Comparator.comparing(SystemLog::merged))
                .toList();
        if (cpus.size() > 1) {
            leftOut.add(cpus.stream().skip(1).map(SystemLog::what).collect(Collectors.joining(", ")) + " of run "
                    + variant + " " + number + ": " + cpus.getFirst().what() + " tells of the same CPUs");
        }
        return Stream.concat(threads.stream(), cpus.stream().limit(1)).toList();
    }

    private void vmstat(List<SystemLog> logs, Found file) {
        if (Vmstat.hasTimes(file.file())) {
            add(logs, Vmstat.of(file.file()), file);
        } else {
            leftOut.add(file.file() + ": its rows have no times, so it fits no load: vmstat -t prints them");
        }
    }

    private <T> void add(List<T> sources, Optional<? extends T> source, Found file) {
        if (source.isPresent()) {
            sources.add(source.get());
        } else {
            leftOut.add(file.file() + ": there is no record in it");
        }
    }

    /** Series say more than {@code all.json}, which is read only in their place. */
    private static List<LoadSource> hyperfoil(List<Found> files) {
        List<Path> series = of(files, Format.HYPERFOIL_SERIES);
        List<Total> totals = new ArrayList<>();
        for (Path file : of(files, Format.HYPERFOIL_TOTALS)) {
            try (Lines lines = Lines.of(file)) {
                totals.addAll(HyperfoilTotals.parse(lines));
            }
        }
        HyperfoilRun run = new HyperfoilRun(series, totals);
        if (!run.isEmpty()) {
            return List.of(run);
        }
        return of(files, Format.HYPERFOIL_JSON).stream()
                .map(file -> (LoadSource) HyperfoilJson.of(file))
                .toList();
    }

    private static List<Path> of(List<Found> files, Format format) {
        return files.stream()
                .filter(file -> file.format() == format)
                .map(Found::file)
                .toList();
    }
}
