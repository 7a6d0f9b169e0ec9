/**
 * This package says what a folder of results comes to. A path that a user named comes in: the folder of a run, of an
 * experiment, or one that holds many. {@link dev.kiln.study.Experiments} finds the experiment and its runs, reads each
 * run's evidence and hands it to {@code explain.study.Assessment}, which gives the result that every form of a report
 * is made of. {@link dev.kiln.study.PastExperiments} does so for all experiments below some folders, and gives their
 * runs with their labels, in the order of time. Commands, pages and the runner all read folders here and nowhere else.
 * Nothing is written: what a run has not yet digested is for the caller to complete.
 */
@NullMarked
package dev.kiln.study;

import org.jspecify.annotations.NullMarked;
