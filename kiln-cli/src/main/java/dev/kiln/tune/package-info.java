/**
 * The search for a cure finds out which change helps a service, and proves it. The confirmed causes of a baseline's
 * runs come in; a {@link Tuning} goes out, with the winner, its proof and what was tried. {@link Candidates} derives a
 * {@link Candidate} from each remedy. A {@link Search} ranks them on few runs by a {@link Goal}, with {@link Pairs} of
 * values from the same blocks, and tries the best two together. A {@link Prover} compares the best one with the
 * baseline on fresh runs, because the runs that chose a candidate favour it. {@link Boosts} then finds the shortest CPU
 * boost that is enough. {@link Trials} is the interface through which all runs are made: {@link TuneTrials} makes them
 * with the lab, and {@link TuneStage} reads them. A {@link TunePlan} keeps how far it is, and a {@link SearchPage} shows
 * that. {@link TuneCommand} is the command; {@link TuneText} and {@link TuneJson} tell what was found, and {@link TunedFiles}
 * writes a {@link Cure} as configuration. {@link AsWritten} reads that back as a {@link WrittenCure}, tries it once, and tells
 * what came of it as a {@link HandedOver}.
 */
@NullMarked
package dev.kiln.tune;

import org.jspecify.annotations.NullMarked;
