package dev.kiln.doctor;

import dev.kiln.recorder.Pace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How a process is to be watched.
 *
 * @param ask whether the JVM may be asked over its attach socket; else it is only looked at
 * @param keep how far back evidence is kept in memory
 * @param save folder for the evidence, as of an experiment of one run
 */
public record WatchSpec(Pace pace, boolean ask, Duration keep, Optional<Path> save, String kilnVersion) {}
