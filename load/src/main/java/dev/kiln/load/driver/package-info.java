/** Kiln's own driver: a closed or open loop over Netty, in a process of its own that stays hot. */
@NullMarked
package dev.kiln.load.driver;

import org.jspecify.annotations.NullMarked;
