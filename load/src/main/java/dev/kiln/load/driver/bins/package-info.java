/**
 * This package passes figures from the event loops to the writer. In come the outcomes of single requests; out come
 * bins of 100 ms for the evidence files.
 *
 * <p>An event loop takes an empty {@link Bin} from its {@link BinQueue} and counts in it; once a second it also fills latencies
 * and the {@link Bin.CallCounts} of each call of a mix. It hands a full bin over to the queue, where the writer's thread finds
 * it. {@link BinSum} adds up the bins of several event loops, and gives the writer a bin when all of them have handed over
 * their part. The writer gives the empty bins back, so that nothing is allocated while a load goes on.
 */
@NullMarked
package dev.kiln.load.driver.bins;

import org.jspecify.annotations.NullMarked;
