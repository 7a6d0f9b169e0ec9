/** Launches a target on this machine: where its parts run, what is put around it, and whether that can be done here. */
@NullMarked
package dev.kiln.launch;

import org.jspecify.annotations.NullMarked;
