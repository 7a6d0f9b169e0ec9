/** Figures on their way from the event loops to the writer: bins, latencies, counts of each call. */
@NullMarked
package dev.kiln.load.driver.bins;

import org.jspecify.annotations.NullMarked;
