/** From series of numbers to results with their warnings. */
@NullMarked
package dev.kiln.stats;

import org.jspecify.annotations.NullMarked;
