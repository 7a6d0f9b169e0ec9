/** Watches a process from outside and hands what it sees to whoever keeps it: a run's files, or memory. */
@NullMarked
package dev.kiln.recorder;

import org.jspecify.annotations.NullMarked;
