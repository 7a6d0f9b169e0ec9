package dev.kiln.serve;

import dev.kiln.evidence.ExperimentReader.Labels;
import dev.kiln.explain.study.PastRun;
import dev.kiln.model.KilnException;
import dev.kiln.model.run.Summary;
import dev.kiln.model.run.Summary.OfRun;
import dev.kiln.model.run.Summary.VariantSummary;
import dev.kiln.report.Listed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** An Item is one folder of a library, with those of its runs in no order. */
public record Item(Path folder, Listed listed, Optional<Summary> summary, List<Path> runs) {
    /** Returns its runs, as a history has them. */
    public List<PastRun> past() {
        SortedMap<String, String> labels;
        try {
            labels = Labels.of(folder);
        } catch (KilnException e) {
            labels = new TreeMap<>();
        }
        List<PastRun> all = new ArrayList<>();
        for (VariantSummary variant : summary.map(Summary::variants).orElse(List.of())) {
            for (OfRun run : variant.runs()) {
                all.add(PastRun.of(summary.orElseThrow(), variant, run, listed.id(), labels));
            }
        }
        return all;
    }
}
