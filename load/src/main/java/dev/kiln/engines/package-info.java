/** All load generators: each says what it cannot send, and has a driver behind the interface of {@code load}. */
@NullMarked
package dev.kiln.engines;

import org.jspecify.annotations.NullMarked;
