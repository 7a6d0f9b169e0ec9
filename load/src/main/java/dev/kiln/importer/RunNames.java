package dev.kiln.importer;

import dev.kiln.importer.LabFolder.FoundFile;
import dev.kiln.importer.format.LoadSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** RunNames finds the run that each load belongs to, by the names on its path, and by its folder where no name says it. */
final class RunNames {
    /** A folder that counts runs, and names no variant. */
    private static final Pattern COUNTED = Pattern.compile("(?i)" + RunName.RUN + "?[-_ ]?\\d{1,9}");

    private RunNames() {}

    /**
     * Returns the place of each load. Loads whose paths name no run are one run if they lie in one folder and below it; those
     * of different folders are different runs.
     *
     * @param fallback name of a run that no path names
     * @param numbers which of the names' numbers count runs
     * @param alike places of loads whose files have one name but for its end
     */
    static Map<FoundFile, RunPlace> of(
            List<FoundFile> loads, String fallback, RunNumbers numbers, Map<FoundFile, RunPlace> alike) {
        Map<FoundFile, RunPlace> places = new LinkedHashMap<>();
        List<FoundFile> unnamed = new ArrayList<>();
        for (FoundFile load : loads) {
            Optional<RunPlace> named = named(load, numbers)
                    .or(() -> Optional.ofNullable(alike.get(load)).map(numbers::told));
            named.ifPresent(place -> places.put(load, place));
            if (named.isEmpty()) {
                unnamed.add(load);
            }
        }
        tellVariantsApart(places);
        Set<Path> folders = new LinkedHashSet<>();
        unnamed.stream()
                .map(RunNames::folder)
                .sorted(Comparator.comparingInt(Path::getNameCount))
                .filter(folder -> folders.stream().noneMatch(folder::startsWith))
                .forEach(folders::add);
        Map<Path, String> names = folders.size() == 1 ? Map.of() : distinct(folders);
        for (FoundFile load : unnamed) {
            Path folder = folders.stream()
                    .filter(folder(load)::startsWith)
                    .findFirst()
                    .orElseThrow();
            String name = names.getOrDefault(folder, fallback);
            places.put(
                    load,
                    names.isEmpty()
                            ? unnamed(fallback, folder, numbers)
                            : new RunPlace(name, RunName.ofFolder(name), folder));
        }
        Map<FoundFile, RunPlace> inOrder = new LinkedHashMap<>();
        loads.forEach(load -> Optional.ofNullable(places.get(load)).ifPresent(place -> inOrder.put(load, place)));
        return inOrder;
    }

    /**
     * Finds loads that no name on their path says the run of, and whose files in one folder have the same name but for a number
     * or a version at its end, such as run1.log and run2.log. Parts of one run may have such names too: see {@link #doubts}.
     */
    static Map<FoundFile, RunPlace> alike(List<FoundFile> loads) {
        Map<Path, Set<String>> stems = new HashMap<>();
        Map<FoundFile, RunPlace> places = new LinkedHashMap<>();
        for (FoundFile load : loads) {
            if (load.format().namesPhases() || named(load).isPresent()) {
                continue;
            }
            Path folder = folder(load);
            String stem = LoadSource.stem(load.place().getLast());
            RunName.ofFile(stem, Objects.toString(folder.getFileName(), "")).ifPresent(told -> {
                places.put(load, new RunPlace(stem, told, folder));
                stems.computeIfAbsent(folder.resolve(RunName.withoutEnd(stem)), beside -> new HashSet<>())
                        .add(stem);
            });
        }
        // Where two names are alike, one that stands alone is told in the same way.
        Set<Path> counted = places.values().stream()
                .filter(place -> stems.getOrDefault(place.folder().resolve(RunName.withoutEnd(place.name())), Set.of())
                                .size()
                        > 1)
                .map(RunPlace::folder)
                .collect(Collectors.toSet());
        places.values().removeIf(place -> !counted.contains(place.folder()));
        return places;
    }

    /** Returns what a user must know of files that are runs only because of the numbers at the end of their names. */
    static List<String> doubts(Map<FoundFile, RunPlace> alike, RunNumbers numbers) {
        Map<String, Set<String>> runs = new LinkedHashMap<>();
        for (RunPlace place : alike.values()) {
            if (place.told().number().isPresent()
                    && numbers.told(place).equals(place)
                    && !RunName.saysRun(place.name())) {
                runs.computeIfAbsent(RunName.withoutEnd(place.name()), variant -> new LinkedHashSet<>())
                        .add(place.name());
            }
        }
        return runs.entrySet().stream()
                .filter(run -> run.getValue().size() > 1)
                .map(run -> RunNumbers.list(List.copyOf(run.getValue())) + " are taken as runs of " + run.getKey()
                        + ", as their names differ by a number at the end: name them phase1, phase2 and so on"
                        + " if they are parts of one run")
                .toList();
    }

    /**
     * Gives runs of one name that lie in folders of different names, such as quarkus/load-1.log and spring/load-1.log, the
     * names of their folders: they are different variants. Folders that count runs or have their times are none.
     */
    private static void tellVariantsApart(Map<FoundFile, RunPlace> places) {
        Map<Optional<String>, Set<RunPlace>> variants = new HashMap<>();
        places.forEach((load, place) -> {
            if (!load.format().namesPhases()) {
                variants.computeIfAbsent(place.told().variant(), name -> new LinkedHashSet<>())
                        .add(place);
            }
        });
        variants.values().removeIf(RunNames::areOfOne);
        places.replaceAll((load, place) -> {
            Set<RunPlace> others = variants.getOrDefault(place.told().variant(), Set.of());
            return load.format().namesPhases() || others.isEmpty()
                    ? place
                    : place.below(
                            Objects.requireNonNull(distinct(parents(others)).get(place.parent())));
        });
    }

    private static Set<Path> parents(Set<RunPlace> runs) {
        Set<Path> parents = new LinkedHashSet<>();
        runs.forEach(run -> parents.add(run.parent()));
        return parents;
    }

    /** Tells whether runs of one name are of one variant. */
    private static boolean areOfOne(Set<RunPlace> runs) {
        Set<Path> parents = parents(runs);
        boolean nested = parents.stream()
                .anyMatch(folder ->
                        parents.stream().anyMatch(other -> !other.equals(folder) && other.startsWith(folder)));
        boolean numbered = runs.stream().allMatch(run -> run.told().number().isPresent())
                && runs.stream().map(RunPlace::told).distinct().count() == runs.size();
        return parents.size() < 2
                || nested
                || numbered
                || distinct(parents).values().stream()
                        .allMatch(name -> COUNTED.matcher(name).matches() || RunName.isTime(name));
    }

    /** Finds the run of a file that has no load; without a name on its path it is the only run. */
    static RunPlace place(FoundFile file, String fallback, RunNumbers numbers) {
        return named(file, numbers)
                .map(named -> new RunPlace(named.name(), named.told(), Path.of("")))
                .orElseGet(() -> unnamed(fallback, Path.of(""), numbers));
    }

    private static RunPlace unnamed(String fallback, Path folder, RunNumbers numbers) {
        RunName told = RunName.of(fallback)
                .filter(name -> name.variant().isPresent())
                .orElse(new RunName(Optional.of(fallback), OptionalInt.empty()));
        return numbers.told(new RunPlace(fallback, told, folder));
    }

    /** Finds the run by a name whose number counts runs; of a variant whose name has a number, its folder may count them. */
    private static Optional<RunPlace> named(FoundFile load, RunNumbers numbers) {
        return named(load).map(place -> {
            RunPlace told = numbers.told(place);
            Path own = folder(load);
            boolean counted = !told.equals(place)
                    && COUNTED.matcher(String.valueOf(own.getFileName())).matches();
            return counted ? new RunPlace(told.name(), told.told(), own) : told;
        });
    }

    /** Finds the run by the deepest folder that names one, or by the file where that names no phase. */
    static Optional<RunPlace> named(FoundFile load) {
        List<String> parts = load.place();
        int last = parts.size() - 1;
        if (!load.format().namesPhases()) {
            String stem = LoadSource.stem(parts.get(last));
            Optional<RunName> told = numberedOrNamed(stem);
            if (told.isPresent()) {
                return Optional.of(new RunPlace(stem, told.get(), folder(load)));
            }
        }
        Path folder = folder(load);
        for (int i = last - 1; i >= 0; i--) {
            Optional<RunName> told = numberedOrNamed(parts.get(i));
            if (told.isPresent()) {
                return Optional.of(new RunPlace(parts.get(i), told.get(), folder));
            }
            folder = Optional.ofNullable(folder.getParent()).orElse(folder);
        }
        return Optional.empty();
    }

    /** A date alone is that of a lab's folder, and no variant's name. */
    private static Optional<RunName> numberedOrNamed(String name) {
        return RunName.of(name).filter(told -> told.variant().isPresent());
    }

    private static Path folder(FoundFile load) {
        Path file = load.file().toAbsolutePath().normalize();
        return Optional.ofNullable(file.getParent()).orElse(file);
    }

    /** Returns the part of each path that distinguishes it from the others. */
    static Map<Path, String> distinct(Set<Path> folders) {
        int common = folders.stream()
                .reduce(RunNames::common)
                .map(Path::getNameCount)
                .orElse(0);
        Map<String, Integer> times = new HashMap<>();
        folders.forEach(folder -> times.merge(folder.getName(common).toString(), 1, Integer::sum));
        Map<Path, String> names = new LinkedHashMap<>();
        for (Path folder : folders) {
            String first = folder.getName(common).toString();
            List<String> rest = new ArrayList<>();
            folder.subpath(common, folder.getNameCount()).forEach(part -> rest.add(part.toString()));
            names.put(folder, times.getOrDefault(first, 0) == 1 ? first : String.join("-", rest));
        }
        return names;
    }

    private static Path common(Path a, Path b) {
        Path common = a;
        while (!b.startsWith(common)) {
            common = Optional.ofNullable(common.getParent()).orElse(common.getRoot());
        }
        return common;
    }

    /** Finds the run with the longest name that is in the file's path as words of their own. */
    static Optional<RunPlace> belongsTo(FoundFile file, Set<RunPlace> runs) {
        return runs.stream()
                .filter(run ->
                        isFolders(file, run, runs) || file.place().stream().anyMatch(part -> names(part, run.name())))
                .max(Comparator.comparing((RunPlace run) -> folder(file).startsWith(run.folder()))
                        .thenComparingInt(run -> run.name().length()));
    }

    /** Tells whether the file lies in the folder that is the run, and that of no other run. */
    private static boolean isFolders(FoundFile file, RunPlace run, Set<RunPlace> runs) {
        return run.told().number().isEmpty()
                && folder(file).startsWith(run.folder())
                && runs.stream()
                                .filter(other -> other.folder().equals(run.folder()))
                                .count()
                        == 1;
    }

    private static boolean names(String part, String run) {
        return Pattern.compile("(?<![A-Za-z0-9])" + Pattern.quote(run) + "(?![A-Za-z0-9])")
                .matcher(part)
                .find();
    }
}
