package dev.kiln.plan.load;

import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Variant.SweepLevel;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Problems.BadValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;

/** A Sweep is an experiment over several numbers of connections: each level of each variant is a variant of its own. */
public final class Sweep {
    /** The levels are those of the published study. */
    public static final List<Integer> PUBLISHED = List.of(1, 5, 10, 15, 20, 25, 30, 35, 40);

    static final int MOST_CONNECTIONS = 100_000;
    static final String EXPECTED = "a whole number from 1 to " + MOST_CONNECTIONS + ", or a list of different ones";

    /** The shortest load is what a class needs, the longest what a starved compiler needed in the published runs. */
    private static final String PROTOCOL = "load=until-steady:60s-300s,pause=15s,load=20s";

    private static final Pattern LEVEL = Pattern.compile("\\s*(\\d{1,6})\\s*");

    private Sweep() {}

    /** Returns a protocol that warms until the throughput is steady, and measures after a pause. */
    public static String protocol() {
        return PROTOCOL;
    }

    /** Reads {@code 1,5,10} as the command line has it; one number is no sweep. */
    public static List<Integer> levels(String option, String text) {
        List<Integer> levels = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            var number = LEVEL.matcher(part);
            levels.add(number.matches() ? Integer.parseInt(number.group(1)) : 0);
        }
        return Problems.option(
                option, "write it as " + option + " 1,5,10,15,20,25,30,35,40", () -> check(levels, "'" + text + "'"));
    }

    static List<Integer> check(List<Integer> levels, String found) {
        boolean outside = levels.stream().anyMatch(level -> level < 1 || level > MOST_CONNECTIONS);
        if (levels.isEmpty() || outside || new HashSet<>(levels).size() < levels.size()) {
            throw BadValue.of(found, EXPECTED);
        }
        return List.copyOf(levels);
    }

    /** Returns each of these variants under each of these loads. */
    public static List<Variant> variants(List<Variant> swept, List<Integer> levels) {
        return levels.isEmpty()
                ? swept
                : swept.stream()
                        .flatMap(variant ->
                                levels.stream().map(level -> variant.at(new SweepLevel(variant.name(), level))))
                        .toList();
    }
}
