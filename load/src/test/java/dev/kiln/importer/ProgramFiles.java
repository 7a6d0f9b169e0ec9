package dev.kiln.importer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.importer.format.CsvMapping;
import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Format.ImportOptions;
import dev.kiln.importer.format.Format.ImportedRun;
import dev.kiln.importer.format.LoadSource.LoadSink.LoadRow;
import dev.kiln.importer.program.MappedCsv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

/** ProgramFiles is what tests of the files of programs share: the files, and how they are read. */
abstract class ProgramFiles {
    static final long SECOND = 1_000_000_000L;

    @TempDir
    Path folder;

    Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    static Format format(Path file) {
        return Formats.of(file, Optional.empty()).orElseThrow();
    }

    static Recorded load(Path file) {
        Format.Loads loads = (Format.Loads) format(file).content();
        return Recorded.of(loads.of().apply(file, Texts.options()).getFirst());
    }

    static List<ImportedRun> runs(Path file, List<String> leftOut) {
        return ((Format.WholeRuns) format(file).content()).of().apply(file, leftOut::add);
    }

    static SystemRecorded log(Path file) {
        Format.OneLog log = (Format.OneLog) format(file).content();
        return SystemRecorded.of(log.of().apply(file, Texts.options()).orElseThrow());
    }

    Recorded mapped(Path file, String columns, ImportOptions options) {
        CsvMapping mapping = CsvMapping.parse(columns);
        assertThat(Formats.of(file, Optional.of(mapping))).contains(MappedCsv.FORMAT);
        return Recorded.of(MappedCsv.of(file, mapping, options).orElseThrow());
    }

    static List<Long> completed(Recorded run) {
        return run.rows.stream().map(LoadRow::completed).toList();
    }
}
