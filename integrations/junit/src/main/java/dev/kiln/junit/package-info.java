/**
 * This package has the extension of JUnit: {@link KilnGate} makes a test of an experiment file, and {@link KilnGateExtension} runs
 * it.
 */
@NullMarked
package dev.kiln.junit;

import org.jspecify.annotations.NullMarked;
