/**
 * The model is what all parts of Kiln know in common: records with their units, which depend on no other package. The
 * packages below hold an experiment as it is asked for, its load, and a run as it is recorded; this one holds what they
 * share.
 *
 * <p>The figures of a run come in with names, and the catalogue {@link Metric} gives each its id, its unit and the
 * direction in which it gets better. A machine comes in as a {@link CpuAssignment}, with each {@link LiveProcess} and {@link
 * AotSight} that was found on it.
 *
 * <p>What goes out passes {@link Secrets}, which hides passwords, and {@link Controls}, which replaces control
 * characters; files are made with the permissions of {@link OwnerOnly}. A failure goes out as a {@link KilnException} with its remedy and its exit code.
 */
@NullMarked
package dev.kiln.model;

import org.jspecify.annotations.NullMarked;
