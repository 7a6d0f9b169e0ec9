package dev.kiln.load.driver;

import dev.kiln.evidence.CallFile;
import dev.kiln.load.driver.bins.CallCounts;
import dev.kiln.load.driver.http.Calls;
import dev.kiln.model.load.CallBin;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A CallLog writes the figures of each call of a mix to the evidence. It is used on the writer's thread.
 *
 * @param file empty where a load has one call
 * @param names by the calls' numbers
 */
record CallLog(Optional<CallFile> file, List<String> names) implements AutoCloseable {
    /** @param directory of the run */
    static CallLog of(Calls calls, Path directory) {
        return new CallLog(
                calls.counted() > 0 ? Optional.of(new CallFile(directory)) : Optional.empty(), calls.names());
    }

    /** @param startNanos since launch, as the end */
    void write(String phase, long startNanos, long endNanos, CallCounts counts) {
        file.ifPresent(rows -> {
            for (int i = 0; i < counts.calls(); i++) {
                rows.write(new CallBin(
                        phase,
                        startNanos,
                        endNanos,
                        names.get(i),
                        counts.completed(i),
                        counts.failed(i),
                        counts.percentile(i, 50),
                        counts.percentile(i, 99)));
            }
        });
    }

    void flush() {
        file.ifPresent(CallFile::flush);
    }

    @Override
    public void close() {
        file.ifPresent(CallFile::close);
    }
}
