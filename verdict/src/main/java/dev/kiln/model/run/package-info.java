/**
 * The run package holds what was recorded of runs, and what was found in it.
 *
 * <p>What comes in is a {@link RunEvidence}: the facts of the run in a {@link RunInfo}, its load, and the rows of each
 * {@link Sample} kind. The {@link Treatment} says what was done to the run beyond its command, a {@link FlightDigest}
 * sums up its flight recording, and a {@link Provenance} says where evidence of other programs comes from. A {@link StartupEvidence}, a {@link DensityStudy} and a {@link SearchStudy} are the records of
 * studies that are more than single runs.
 *
 * <p>What goes out is a {@link Verdict} on the run, a {@link Finding} for each possible cause, and a {@link Summary} of
 * the experiment for lists and histories.
 */
@NullMarked
package dev.kiln.model.run;

import org.jspecify.annotations.NullMarked;
