/**
 * This package runs an experiment and its gate as a step of a build: what the JUnit extension and the Maven plugin share.
 *
 * <p>What comes in is a {@link GateStep}. It starts the program {@code kiln} in a process of its own, passes on what that says, and
 * turns its exit code into an {@link Outcome}. It needs nothing but a Java that JUnit and Maven run on.
 */
@NullMarked
package dev.kiln.build;

import org.jspecify.annotations.NullMarked;
