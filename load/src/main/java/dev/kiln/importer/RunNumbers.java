package dev.kiln.importer;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * RunNumbers say whether a number at the end of a name counts the runs of a variant, or belongs to the variant's name, as in
 * {@code jdk-21}. Numbers that count begin with 0 or 1, and few of them are missing. Where others count so, a variant with most
 * of their numbers has lost its first run. A variant that is taken for runs is worse than runs that are taken for variants, as nobody
 * sees it: what doubles is a setting, and what is not certain is said.
 */
final class RunNumbers {
    /** Such a name says itself that its number counts runs. */
    private static final Pattern SAID = Pattern.compile(".*-run[-_]?\\d+");

    /** A sentence has at most this many names. */
    private static final int MOST_NAMES = 4;

    /** The names by the variant that they would be runs of, and by their numbers. */
    private final NavigableMap<String, NavigableMap<Integer, String>> numbered = new TreeMap<>();

    private final int most;

    /** @param places of all files, as their names alone have them */
    RunNumbers(Stream<RunPlace> places) {
        places.filter(place -> place.told().number().isPresent())
                .forEach(place -> numbered.computeIfAbsent(variant(place), name -> new TreeMap<>())
                        .put(place.told().number().getAsInt(), place.name()));
        most = numbered.values().stream()
                .filter(names -> names.size() > 1 && isCount(names))
                .mapToInt(NavigableMap::lastKey)
                .max()
                .orElse(0);
    }

    private static String variant(RunPlace place) {
        return place.told().variant().orElse("");
    }

    /** Returns the place as it is if its number counts runs; else all of its name is that of the variant. */
    RunPlace told(RunPlace place) {
        OptionalInt number = place.told().number();
        if (number.isEmpty() || SAID.matcher(place.name()).matches()) {
            return place;
        }
        NavigableMap<Integer, String> alone = new TreeMap<>();
        alone.put(number.getAsInt(), place.name());
        return counts(numbered.getOrDefault(variant(place), alone))
                ? place
                : new RunPlace(
                        place.name(), new RunName(Optional.of(place.name()), OptionalInt.empty()), place.folder());
    }

    private boolean counts(NavigableMap<Integer, String> names) {
        return isCount(names) || asOthers(names) || isCountWithGaps(names);
    }

    /** Tells whether others have these numbers too. */
    private boolean asOthers(NavigableMap<Integer, String> names) {
        return !doubles(names) && names.lastKey() <= most && 2 * names.size() > most;
    }

    private static boolean isCountWithGaps(NavigableMap<Integer, String> names) {
        return !doubles(names) && names.firstKey() <= 1 && 2 * names.size() > names.lastKey() - names.firstKey() + 1;
    }

    private static boolean doubles(NavigableMap<Integer, String> names) {
        List<Integer> numbers = List.copyOf(names.keySet());
        return numbers.size() > 2
                && IntStream.range(1, numbers.size()).allMatch(i -> numbers.get(i) == 2 * numbers.get(i - 1));
    }

    private static boolean isCount(NavigableMap<Integer, String> names) {
        return names.firstKey() <= 1 && names.lastKey() - names.firstKey() == names.size() - 1;
    }

    /** Returns what a user must know of names that could have been meant as runs of one variant. */
    List<String> doubts() {
        List<String> doubts = new ArrayList<>();
        numbered.forEach((variant, all) -> {
            NavigableMap<Integer, String> unsaid = new TreeMap<>(all);
            unsaid.values().removeIf(name -> SAID.matcher(name).matches());
            List<String> names = List.copyOf(unsaid.values());
            if (names.size() > 1 && !counts(all)) {
                doubts.add(list(names) + " are variants, and no runs of " + variant
                        + ": numbers of runs begin with 0 or 1, and few are missing. If they are runs, name them "
                        + variant
                        + "-run" + unsaid.firstKey() + " and so on");
            } else if (names.size() == 1 && !counts(all)) {
                int number = unsaid.firstKey();
                doubts.add(names.getFirst() + " is a variant, and no run of " + variant
                        + ": numbers of runs begin with 0 or 1. If it is run " + number + ", name it " + variant
                        + "-run" + number);
            } else if (names.size() > 1 && !isCount(all)) {
                doubts.add(list(names) + " are runs of " + variant
                        + ", of which some are missing. If they are variants, name them " + names.getFirst()
                        + "-run1 and so on");
            }
        });
        return doubts;
    }

    static String list(List<String> names) {
        int rest = names.size() - MOST_NAMES;
        return names.stream().limit(MOST_NAMES).collect(Collectors.joining(", "))
                + (rest > 0 ? " and " + rest + " more" : "");
    }
}
