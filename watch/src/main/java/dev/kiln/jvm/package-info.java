/** JDKs, launch commands, and what can be seen of a JVM from outside. */
@NullMarked
package dev.kiln.jvm;

import org.jspecify.annotations.NullMarked;
