/** A folder of results as pages: what was recorded, and what is being recorded now. It only reads. */
@NullMarked
package dev.kiln.serve;

import org.jspecify.annotations.NullMarked;
