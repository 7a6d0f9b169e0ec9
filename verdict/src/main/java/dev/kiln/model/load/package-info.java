/** The load: what is sent, and what is counted of the answers. */
@NullMarked
package dev.kiln.model.load;

import org.jspecify.annotations.NullMarked;
