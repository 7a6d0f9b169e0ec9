package dev.kiln.stats;

/**
 * The series is too short for a class.
 *
 * @param binsNeeded bins missing
 * @param why for people, with the seconds missing
 */
public record NotEnoughData(int bins, int binsNeeded, double requests, String why) implements SeriesAnalysis {}
