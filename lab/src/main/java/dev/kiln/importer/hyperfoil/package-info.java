/** The files of Hyperfoil, and what its controller tells of a run that goes on. */
@NullMarked
package dev.kiln.importer.hyperfoil;

import org.jspecify.annotations.NullMarked;
