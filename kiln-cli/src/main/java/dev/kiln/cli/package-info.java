/** The command line: one class a command, which parses, calls and prints. */
@NullMarked
package dev.kiln.cli;

import org.jspecify.annotations.NullMarked;
