package dev.kiln.serve;

import dev.kiln.evidence.StudyFile;
import dev.kiln.model.KilnException;
import dev.kiln.model.run.SearchStudy;
import dev.kiln.model.run.SearchStudy.SearchTable;
import dev.kiln.report.Listed;
import dev.kiln.report.Listed.StudyKind;
import dev.kiln.report.Listed.StudyState;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A SearchReader reads the folder of a search for a cure for the list of a library. */
record SearchReader(ItemReader reader) {
    /** @param stages the experiments in its folder */
    Item search(Path folder, List<Listed> stages) {
        SearchStudy study;
        try {
            study = StudyFile.SEARCH.read(folder);
        } catch (KilnException e) {
            return reader.unreadable(folder, List.of(), String.valueOf(e.getMessage()));
        }
        Optional<SearchTable> table = study.table();
        Optional<String> verdict = table.flatMap(SearchTable::verdict);
        Listed listed = new Listed(
                reader.id(folder),
                StudyKind.SEARCH,
                table.map(SearchTable::experiment).orElseGet(() -> reader.id(folder)),
                stages.stream()
                        .flatMapToLong(stage -> stage.startedMillis().stream())
                        .min(),
                verdict.isPresent() ? StudyState.FINISHED : unfinished(table, stages),
                stages.stream().map(Listed::host).findFirst().orElse(""),
                List.of(),
                verdict.orElse(""),
                Optional.empty());
        return new Item(folder, listed, Optional.empty(), List.of());
    }

    private static StudyState unfinished(Optional<SearchTable> table, List<Listed> stages) {
        boolean runs = stages.stream().anyMatch(stage -> stage.state() == StudyState.RUNNING)
                || table.filter(shown ->
                                ItemReader.isRecent(shown.writtenEpochMillis(), ItemReader.BETWEEN_RUNS_MILLIS))
                        .isPresent();
        // An earlier Kiln did not write down how its searches ended.
        return runs ? StudyState.RUNNING : table.isPresent() ? StudyState.BROKEN_OFF : StudyState.UNJUDGED;
    }
}
