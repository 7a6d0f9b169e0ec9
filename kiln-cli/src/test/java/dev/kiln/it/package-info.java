/** The whole program against real targets. */
@NullMarked
package dev.kiln.it;

import org.jspecify.annotations.NullMarked;
