/** JDKs, launch commands and what a JVM tells of itself from outside. */
@NullMarked
package dev.kiln.jvm;

import org.jspecify.annotations.NullMarked;
