package dev.kiln.report;

import dev.kiln.explain.study.ExperimentResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A Section is what a product adds to the result of an experiment: a part of the page, fields of {@code result.json},
 * the text on the terminal, and files of its own. Products are listed in {@code META-INF/services}, so that the report
 * knows none of them.
 */
public interface Section {
    /** Tells whether this result has the section; nothing else is asked of one that has not. */
    boolean in(ExperimentResult result);

    /** Returns the part of the page, below the summary. */
    String html(ExperimentResult result);

    /** Writes the fields of {@code result.json}. */
    void json(JsonOut out, ExperimentResult result);

    /** Returns the text that stands in place of the common one; empty where the common one stays. */
    Optional<String> terminal(ExperimentResult result, TerminalStyle style);

    /** Returns the texts of further files by their names, such as {@code sweep.csv}. */
    Map<String, String> files(ExperimentResult result);

    /** Returns the sections of a result, in the order of their list. */
    static List<Section> of(ExperimentResult result) {
        return ServiceLoader.load(Section.class, Section.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .filter(section -> section.in(result))
                .toList();
    }
}
