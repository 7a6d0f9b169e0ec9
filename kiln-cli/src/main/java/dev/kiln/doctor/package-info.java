/** Finds live JVMs, diagnoses what they lack, and helps them without a restart. */
@NullMarked
package dev.kiln.doctor;

import org.jspecify.annotations.NullMarked;
