package dev.kiln.runner;

/**
 * A RunControl is who follows the runs, who may end them, and who judges them.
 *
 * @param judge what the analysis says of what was recorded so far
 */
public record RunControl(RunListener listener, Cancellation cancellation, Judge judge) {}
