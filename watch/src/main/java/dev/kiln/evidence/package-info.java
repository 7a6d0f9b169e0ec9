/** The evidence format: streaming writer and reader, schema version. */
@NullMarked
package dev.kiln.evidence;

import org.jspecify.annotations.NullMarked;
