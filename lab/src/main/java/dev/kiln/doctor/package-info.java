/** Looks at living JVMs: which there are, what they are short of, and what helps without a restart. */
@NullMarked
package dev.kiln.doctor;

import org.jspecify.annotations.NullMarked;
