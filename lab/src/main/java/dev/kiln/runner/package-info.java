/** Runs an experiment: the only orchestrator. */
@NullMarked
package dev.kiln.runner;

import org.jspecify.annotations.NullMarked;
