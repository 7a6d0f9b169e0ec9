/** Runs of several configurations to ratios and verdicts; sees no process, file or clock. */
@NullMarked
package dev.kiln.compare;

import org.jspecify.annotations.NullMarked;
