/** A PostgreSQL of Kiln's own, its programs and the script that fills it. */
@NullMarked
package dev.kiln.postgres;

import org.jspecify.annotations.NullMarked;
