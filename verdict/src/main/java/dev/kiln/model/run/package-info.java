/** What was recorded of runs, and what was found in it. */
@NullMarked
package dev.kiln.model.run;

import org.jspecify.annotations.NullMarked;
