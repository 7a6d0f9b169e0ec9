package dev.kiln.model;

/** A part of a start that the program's own log tells the time of. */
public record StartPhase(String name, long nanos) {}
