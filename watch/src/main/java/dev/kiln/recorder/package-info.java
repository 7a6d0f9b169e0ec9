/** Watches a process from outside, and passes the samples on: to the files of a run, or to memory. */
@NullMarked
package dev.kiln.recorder;

import org.jspecify.annotations.NullMarked;
