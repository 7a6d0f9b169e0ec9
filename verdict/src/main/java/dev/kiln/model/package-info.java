/** Records with their units; depends on nothing. Here is what all of them share. */
@NullMarked
package dev.kiln.model;

import org.jspecify.annotations.NullMarked;
