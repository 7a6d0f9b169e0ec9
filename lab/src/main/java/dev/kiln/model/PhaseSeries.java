package dev.kiln.model;

import java.util.Optional;

/**
 * Requests completed in each row of a phase under load.
 *
 * @param rowSeconds length of a row
 * @param counts requests in a row that succeeded
 * @param errors requests in a row that failed; empty where nobody counted them
 */
public record PhaseSeries(String phase, double rowSeconds, double[] counts, Optional<double[]> errors) {}
