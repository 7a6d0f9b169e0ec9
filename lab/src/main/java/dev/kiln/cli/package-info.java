/** One class a command: parse, call, render. */
@NullMarked
package dev.kiln.cli;

import org.jspecify.annotations.NullMarked;
