/**
 * This package has what can hold a service back: one class for each cause, or for those that belong together, with ids,
 * thresholds, wording and remedies.
 *
 * <p>What comes in is a WindowEvidence: the part of a run that is judged, with its statistics. {@link Causes} asks
 * every cause in turn, each before those it can be mistaken for. A cause such as Throttling, C2Starved or HeapCauses
 * compares the evidence with its thresholds and asks the Findings so far what was confirmed before it. By its
 * {@link CauseId} it then makes a finding: confirmed with a weight, its evidence and Remedies, ruled out, or not
 * observable, with what is missing.
 *
 * <p>What goes out are the findings in order, confirmed ones first. Packages that judge a run by its causes do not name
 * them: they ask {@link Causes} for a confirmed one by its role.
 */
@NullMarked
package dev.kiln.explain.cause;

import org.jspecify.annotations.NullMarked;
