package dev.kiln.importer;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a series file: {@code <phase>.<metric>.<n>[.agent.<name>].series.csv}, in which slashes of phase and metric are
 * underscores.
 *
 * @param agent empty for the sum over all agents
 */
record HyperfoilName(String phase, String metric, Optional<String> agent) {
    private static final Pattern FORM =
            Pattern.compile("(.+?)\\.(\\d+)(?:\\.agent\\.(.+?))?\\.series\\.csv.*", Pattern.DOTALL);

    /** @param phases as {@code total.csv} tells them; without it a phase goes to the first dot */
    static HyperfoilName of(String file, Collection<String> phases) {
        Matcher form = FORM.matcher(file);
        boolean known = form.matches();
        String stem = known ? form.group(1) : file.replaceFirst("(\\.series)?\\.csv.*$", "");
        Optional<String> agent = known ? Optional.ofNullable(form.group(3)) : Optional.empty();
        Optional<String> told = phases.stream()
                .filter(phase -> stem.startsWith(phase.replace('/', '_') + "."))
                .max(Comparator.comparingInt(String::length));
        if (told.isPresent()) {
            return new HyperfoilName(told.get(), stem.substring(told.get().length() + 1), agent);
        }
        int dot = stem.indexOf('.');
        return dot < 1
                ? new HyperfoilName(stem, "", agent)
                : new HyperfoilName(stem.substring(0, dot), stem.substring(dot + 1), agent);
    }
}
