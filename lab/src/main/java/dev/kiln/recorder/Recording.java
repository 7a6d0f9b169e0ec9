package dev.kiln.recorder;

import dev.kiln.model.RunInfo.JvmInfo;
import java.util.Optional;

/** A target's recording while it goes, on this machine or another. */
public interface Recording extends AutoCloseable {
    /** What the target's JVM said of itself so far. */
    Optional<JvmInfo> jvm();

    /** For a live display: what the C2 threads did in the last second or so; empty where there are none. */
    Optional<CompilerLoad> c2LastSecond();

    /** Records once more and ends; calling it again changes nothing. */
    RecorderResult stop();

    /** Ends as {@link #stop} does, but says nothing of how it went. */
    @Override
    void close();
}
