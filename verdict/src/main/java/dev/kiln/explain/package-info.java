/** From evidence to results and verdicts; sees no process, file or clock. */
@NullMarked
package dev.kiln.explain;

import org.jspecify.annotations.NullMarked;
