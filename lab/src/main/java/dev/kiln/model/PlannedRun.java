package dev.kiln.model;

/**
 * One run, in the order of running.
 *
 * @param block number of the randomised block, from 1
 * @param run number of the run within its variant, from 1
 */
public record PlannedRun(int block, int run, Variant variant) {}
