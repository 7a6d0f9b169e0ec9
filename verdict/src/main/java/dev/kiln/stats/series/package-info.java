/** One series of throughput: its peak, the time to it, its end, its shape and its noise. */
@NullMarked
package dev.kiln.stats.series;

import org.jspecify.annotations.NullMarked;
