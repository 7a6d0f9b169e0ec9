package dev.kiln.runner;

/** A RunControl is who follows the runs, who may end them, and who judges what they recorded so far. */
public record RunControl(RunListener listener, Cancellation cancellation, Judge judge) {}
