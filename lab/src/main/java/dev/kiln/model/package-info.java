/** Records with their units; depends on nothing. */
@NullMarked
package dev.kiln.model;

import org.jspecify.annotations.NullMarked;
