/** Load generators of others, behind the interface of Kiln's own driver. */
@NullMarked
package dev.kiln.engines;

import org.jspecify.annotations.NullMarked;
