/** The search for a cure: what is tried, what decides, and what is handed over. */
@NullMarked
package dev.kiln.tune;

import org.jspecify.annotations.NullMarked;
