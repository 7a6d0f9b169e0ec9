package dev.kiln.stats;

/**
 * Three coefficients cannot be told, with their uncertainty, from so few levels.
 *
 * @param levels different numbers of connections with a throughput
 * @param needed different levels that it takes
 * @param why for people
 */
public record TooFewLevels(int levels, int needed, String why) implements ScalabilityFit {}
