/** Results for a person at a terminal. */
@NullMarked
package dev.kiln.report.terminal;

import org.jspecify.annotations.NullMarked;
