/** Load drivers behind one interface. */
@NullMarked
package dev.kiln.load;

import org.jspecify.annotations.NullMarked;
