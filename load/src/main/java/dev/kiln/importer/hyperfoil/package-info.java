/** The files of Hyperfoil, and what its controller reports during a run. */
@NullMarked
package dev.kiln.importer.hyperfoil;

import org.jspecify.annotations.NullMarked;
