/** Flight recordings: the flags that start one, and its digest. */
@NullMarked
package dev.kiln.jvm.flight;

import org.jspecify.annotations.NullMarked;
