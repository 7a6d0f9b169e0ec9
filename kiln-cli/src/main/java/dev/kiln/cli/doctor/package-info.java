/** The command that looks at a living JVM. */
@NullMarked
package dev.kiln.cli.doctor;

import org.jspecify.annotations.NullMarked;
