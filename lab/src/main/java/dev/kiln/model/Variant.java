package dev.kiln.model;

/** One way to launch the target; all inheritance is already resolved. */
public record Variant(String name, Target target) {}
