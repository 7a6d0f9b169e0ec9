package dev.kiln.model;

/**
 * One start of a start-up comparison.
 *
 * @param pair from 1, those to be discarded included
 * @param side 0 is A, 1 is B
 */
public record PlannedStart(int pair, int side) {}
