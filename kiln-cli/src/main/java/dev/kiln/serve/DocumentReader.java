package dev.kiln.serve;

import dev.kiln.evidence.StudyFile;
import dev.kiln.model.KilnException;
import dev.kiln.model.run.SearchStudy;
import dev.kiln.model.run.SearchStudy.SearchTable;
import dev.kiln.model.run.StartupEvidence;
import dev.kiln.model.run.Summary.OfRun;
import dev.kiln.model.run.Summary.VariantSummary;
import dev.kiln.report.Listed;
import dev.kiln.report.Listed.StudyKind;
import dev.kiln.report.Listed.StudyState;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** A DocumentReader reads studies that are one document for the list of a library: start-up comparisons, and searches for a cure. */
record DocumentReader(ItemReader reader) {
    /** Returns a start-up comparison, which is one document, written after each start. */
    Item startup(Path folder, long changed) {
        StartupEvidence starts;
        try {
            starts = StudyFile.STARTUP.read(folder);
        } catch (KilnException e) {
            return reader.unreadable(folder, List.of(), String.valueOf(e.getMessage()));
        }
        long planned = (long) starts.sides().size()
                * (starts.design().pairs() + starts.design().discarded());
        StudyState state = starts.samples().size() >= planned
                ? StudyState.FINISHED
                : ItemReader.isRecent(changed, ItemReader.BETWEEN_RUNS_MILLIS)
                        ? StudyState.RUNNING
                        : StudyState.BROKEN_OFF;
        Listed listed = new Listed(
                reader.id(folder),
                StudyKind.STARTUP,
                reader.id(folder),
                OptionalLong.of(starts.origin().startedEpochMillis()),
                starts.failure().isPresent() ? StudyState.BROKEN_OFF : state,
                ItemReader.host(starts.machine().host()),
                IntStream.range(0, starts.sides().size())
                        .mapToObj(side -> variant(starts, side))
                        .toList(),
                "",
                starts.failure());
        return new Item(folder, listed, Optional.empty(), List.of());
    }

    private static VariantSummary variant(StartupEvidence starts, int side) {
        return new VariantSummary(
                starts.sides().get(side).name(),
                "",
                Optional.empty(),
                Optional.empty(),
                false,
                Optional.empty(),
                starts.samples().stream()
                        .filter(sample -> sample.side() == side
                                && sample.pair() > starts.design().discarded())
                        .map(sample -> new OfRun(
                                sample.pair(), starts.origin().startedEpochMillis(), 0, true, "", List.of(), Map.of()))
                        .toList());
    }

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
