/**
 * A target on another machine. Kiln sends its recorder there over SSH, and the recorder sends back what it sees while
 * it runs.
 */
@NullMarked
package dev.kiln.remote;

import org.jspecify.annotations.NullMarked;
