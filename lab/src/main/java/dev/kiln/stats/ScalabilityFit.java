package dev.kiln.stats;

/** What throughputs at several numbers of connections say of the universal scalability law. */
public sealed interface ScalabilityFit permits UniversalScalability, TooFewLevels {}
