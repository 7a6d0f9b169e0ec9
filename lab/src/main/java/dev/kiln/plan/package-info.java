/** Experiment file or flags to an experiment; errors say where and what was expected. */
@NullMarked
package dev.kiln.plan;

import org.jspecify.annotations.NullMarked;
