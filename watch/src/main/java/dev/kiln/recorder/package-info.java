/**
 * This package watches a process from outside while it runs. In come a {@link RecorderSpec}, which says what to watch
 * and how closely, and a sink; out come samples, in the order of time, and at the end a {@link Recording} with what
 * could not be recorded.
 *
 * <p>A {@link Recorder} has a thread that wakes up to ten times a second. Its {@link RecorderTarget} finds the process that
 * serves, and lets each part take its samples: {@link RecorderThreads} of threads, {@link RecorderJvm} of the JVM's counters, {@link RecorderHost}
 * of memory, throttling, CPUs and the parts of the lab. {@link RecorderJit} asks the JVM questions on a thread of its own,
 * because an answer may take long. {@link RecorderDumps} dumps its threads at
 * the {@link Recording.DumpTimes} of a load, on another. All of them share a {@link RecorderContext}, which holds samples back until it is known
 * which process serves. A {@link PartsRecorder} records the lab on this machine while the target runs on another.
 */
@NullMarked
package dev.kiln.recorder;

import org.jspecify.annotations.NullMarked;
