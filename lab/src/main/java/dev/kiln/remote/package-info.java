/** A target on another machine. Kiln sends its recorder there over SSH, and gets back what it sees. */
@NullMarked
package dev.kiln.remote;

import org.jspecify.annotations.NullMarked;
