/** Flight recordings: the flags that begin one, and what is read of it. */
@NullMarked
package dev.kiln.jvm.flight;

import org.jspecify.annotations.NullMarked;
