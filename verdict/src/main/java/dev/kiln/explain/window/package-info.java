/** A stretch of a run and what its samples say of it: threads, CPUs, memory, load. */
@NullMarked
package dev.kiln.explain.window;

import org.jspecify.annotations.NullMarked;
