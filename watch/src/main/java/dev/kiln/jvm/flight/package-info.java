/**
 * This package digests flight recordings, of the JDK's recorder and of async-profiler. In comes a launch that is to be
 * recorded, and later the recording; out come the flags, and a digest of the recording that evidence keeps.
 *
 * <p>{@link FlightRecorder} and {@link AsyncProfiler} make the flags of a launch. After the run, {@link FlightRecording}
 * reads the file once: {@link FlightChunks} says which chunks are whole, and a {@link FlightStream} passes their events on,
 * one at a time. A {@link FlightTally} counts them by second, with {@link GcTally} for collections and {@link C2Work} for
 * compilations. {@link FlightSamples} turn stack samples into shares of interpreter, C1 and C2; for that they look methods
 * up among {@link CompiledMethods}. A {@link FlightStream.FlightClock} makes the wall clock of the recording the time since the launch.
 * {@link StackSamples} read the same samples as whole stacks, for flame graphs.
 */
@NullMarked
package dev.kiln.jvm.flight;

import org.jspecify.annotations.NullMarked;
