package dev.kiln.recorder;

import dev.kiln.model.KilnException;
import dev.kiln.model.RunInfo.JvmInfo;
import dev.kiln.model.RunInfo.NotRecorded;
import java.util.List;
import java.util.Optional;

/**
 * How recording went.
 *
 * @param notRecorded what could not be recorded, and why
 * @param jvm what the target's JVM said of itself
 * @param cpuNanos CPU time of the recorder's thread
 * @param failure why it ended before it was stopped, such as a full disk
 */
public record RecorderResult(
        List<NotRecorded> notRecorded, Optional<JvmInfo> jvm, long cpuNanos, Optional<KilnException> failure) {
    public RecorderResult {
        notRecorded = List.copyOf(notRecorded);
    }
}
