package dev.kiln.model;

/**
 * Requests completed in each row of a phase under load.
 *
 * @param rowSeconds length of a row
 * @param counts requests in a row
 */
public record PhaseSeries(String phase, double rowSeconds, double[] counts) {}
