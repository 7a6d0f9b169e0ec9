package dev.kiln.importer;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The rows of several series of one phase, those of the same second added up. */
final class SeriesMerge implements AutoCloseable {
    private final List<SeriesReader> readers = new ArrayList<>();
    private final List<Optional<LoadRow>> heads = new ArrayList<>();

    SeriesMerge(List<Path> files, String phase) {
        for (Path file : files) {
            readers.add(new SeriesReader(Lines.of(file), phase));
        }
        readers.forEach(reader -> heads.add(reader.next()));
    }

    Optional<LoadRow> next() {
        if (heads.size() == 1) {
            return advance(0);
        }
        Optional<LoadRow> earliest = Optional.empty();
        for (Optional<LoadRow> head : heads) {
            if (head.isPresent()
                    && (earliest.isEmpty()
                            || head.get().startNanos() < earliest.get().startNanos())) {
                earliest = head;
            }
        }
        if (earliest.isEmpty()) {
            return earliest;
        }
        Optional<LoadRow> sum = Optional.empty();
        for (int i = 0; i < heads.size(); i++) {
            if (heads.get(i).isPresent()
                    && heads.get(i).get().startNanos() < earliest.get().endNanos()) {
                aligned(i, earliest.get());
                LoadRow row = advance(i).orElseThrow();
                sum = Optional.of(sum.isEmpty() ? row : sum.get().plus(row));
            }
        }
        return sum;
    }

    /** Intervals of one phase begin together in every metric; others could not be added up. */
    private void aligned(int i, LoadRow with) {
        LoadRow row = heads.get(i).orElseThrow();
        if (row.startNanos() != with.startNanos()) {
            throw readers.get(i).outOfStep();
        }
    }

    private Optional<LoadRow> advance(int i) {
        Optional<LoadRow> row = heads.get(i);
        if (row.isPresent()) {
            heads.set(i, readers.get(i).next());
        }
        return row;
    }

    List<String> cutShort() {
        return readers.stream()
                .map(SeriesReader::cutShort)
                .flatMap(Optional::stream)
                .toList();
    }

    @Override
    public void close() {
        readers.forEach(SeriesReader::close);
    }
}
