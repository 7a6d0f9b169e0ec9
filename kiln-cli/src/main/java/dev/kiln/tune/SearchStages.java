package dev.kiln.tune;

import dev.kiln.model.run.Summary.OfRun;
import dev.kiln.model.run.Summary.VariantSummary;
import dev.kiln.report.Listed;
import dev.kiln.report.Listed.StudyState;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * SearchStages are the stages of a search with what each candidate did in them. A stage is a folder with a number and a name,
 * such as {@code 3-round-1}; which stages there are, only the search knows.
 *
 * @param all in their order
 */
record SearchStages(List<Listed> all) {
    private static final Pattern STAGE = Pattern.compile("(\\d{1,6})-(.*)");

    /** Orders stages by their number, those of one number as they were begun. */
    static SearchStages of(List<Listed> stages) {
        return new SearchStages(stages.stream()
                .sorted(Comparator.comparingInt(SearchStages::number)
                        .thenComparingLong(stage -> stage.startedMillis().orElse(Long.MAX_VALUE))
                        .thenComparing(Listed::id))
                .toList());
    }

    private static int number(Listed stage) {
        Matcher matcher = STAGE.matcher(name(stage));
        return matcher.matches() ? Integer.parseInt(matcher.group(1)) : Integer.MAX_VALUE;
    }

    /** Returns the name of its folder. */
    static String name(Listed stage) {
        return stage.id().substring(stage.id().lastIndexOf('/') + 1);
    }

    /**
     * Returns the stage that runs; empty between two of them, and after the last. It is the last one that was begun: one that the
     * budget cut short seems to go on for a while.
     */
    Optional<Listed> running() {
        return all.stream()
                .skip(Math.max(0, all.size() - 1L))
                .filter(stage -> stage.state() == StudyState.RUNNING)
                .findFirst();
    }

    /** Returns the names of the stages that a variant was in. */
    List<String> having(String variant) {
        return all.stream()
                .filter(stage -> has(stage, variant))
                .map(SearchStages::name)
                .toList();
    }

    /** Returns the completed runs of a variant in all stages. */
    long runs(String variant) {
        return all.stream()
                .flatMap(stage -> stage.variants().stream())
                .filter(one -> one.name().equals(variant))
                .flatMap(one -> one.runs().stream())
                .filter(OfRun::valid)
                .count();
    }

    /** Tells whether a variant is in the stage that runs. */
    boolean isRunning(String variant) {
        return running().filter(stage -> has(stage, variant)).isPresent();
    }

    private static boolean has(Listed stage, String variant) {
        return stage.variants().stream().map(VariantSummary::name).anyMatch(variant::equals);
    }
}
