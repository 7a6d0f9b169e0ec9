/** The files of other programs that send load or run benchmarks, and anybody's CSV. */
@NullMarked
package dev.kiln.importer.program;

import org.jspecify.annotations.NullMarked;
