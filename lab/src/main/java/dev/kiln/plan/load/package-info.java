/** The load of an experiment: calls, feeds, sessions, recordings, protocols and what engines are told. */
@NullMarked
package dev.kiln.plan.load;

import org.jspecify.annotations.NullMarked;
