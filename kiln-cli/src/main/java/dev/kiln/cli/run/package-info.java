/** Commands that run experiments, and what only they need. */
@NullMarked
package dev.kiln.cli.run;

import org.jspecify.annotations.NullMarked;
